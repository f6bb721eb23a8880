// Draws a diagram of a page in the page's own colours, from a script of this site; until then, without scripts and on narrow screens, its steps stand there as a list.
import { useData, withBase } from 'vitepress'
import { defineComponent, h, onMounted, ref, useId, watch } from 'vue'

/** Mermaid as its authors built it, in one file: to bundle it once more takes a minute. */
const MERMAID = '/mermaid.js'

/** The part of it that draws. */
interface Mermaid {
  initialize(options: object): void
  render(id: string, source: string): Promise<{ svg: string }>
}

/** Those of the pages, as the browser has worked them out: Mermaid reckons with numbers. */
function colours(isDark: boolean) {
  const probe = document.body.appendChild(document.createElement('i'))
  const [page, soft, text, line, brand, brandSoft] = [
    '--card',
    '--raised',
    '--ink',
    '--line-strong',
    '--brand',
    '--wash',
  ].map((name) => {
    probe.style.color = `var(${name})`
    return getComputedStyle(probe).color
  })
  probe.remove()
  return {
    darkMode: isDark,
    background: page,
    textColor: text,
    titleColor: text,
    primaryColor: brandSoft,
    primaryTextColor: text,
    primaryBorderColor: brand,
    secondaryColor: soft,
    secondaryTextColor: text,
    secondaryBorderColor: line,
    tertiaryColor: soft,
    tertiaryTextColor: text,
    tertiaryBorderColor: line,
    lineColor: line,
    edgeLabelBackground: page,
    labelBackgroundColor: page,
    noteBkgColor: soft,
    noteTextColor: text,
    noteBorderColor: line,
    actorBkg: brandSoft,
    actorBorder: brand,
    actorTextColor: text,
    actorLineColor: line,
    signalColor: line,
    signalTextColor: text,
    labelBoxBkgColor: soft,
    labelBoxBorderColor: line,
    labelTextColor: text,
    loopTextColor: text,
    activationBkgColor: soft,
    activationBorderColor: line,
    sequenceNumberColor: page,
  }
}

/** One step per line: from where to where, and why. */
const stepsOf = (source: string) =>
  [...source.matchAll(/^\s*(\S+?) ?-+>+ ?(\S+): (.*)$/gm)].map(([, from = '', to = '', why = '']) => ({
    way: `${from === '[*]' ? 'start' : from} → ${to}`,
    why,
  }))

let loading: Promise<Mermaid> | undefined
const loadMermaid = () =>
  (loading ??= new Promise((resolve, reject) => {
    // A script of the page, because Vite's own import() does not take what lies in public/.
    const script = document.createElement('script')
    script.src = withBase(MERMAID)
    script.addEventListener('error', reject)
    script.addEventListener('load', () => resolve((globalThis as unknown as { mermaid: Mermaid }).mermaid))
    document.head.append(script)
  }))

export const Diagram = defineComponent({
  props: { text: { type: String, required: true } },
  setup(props) {
    const { isDark } = useData()
    const source = decodeURIComponent(props.text)
    const steps = stepsOf(source)
    const title = /^\s*accTitle: (.+)$/m.exec(source)?.[1] ?? 'Diagram'
    const id = `diagram${useId().replaceAll(/\W/g, '')}`
    const drawing = ref('')

    async function draw() {
      const mermaid = await loadMermaid()
      mermaid.initialize({
        startOnLoad: false,
        securityLevel: 'strict',
        theme: 'base',
        themeVariables: colours(isDark.value),
        fontFamily: 'inherit',
      })
      drawing.value = (await mermaid.render(id, source)).svg
    }
    onMounted(() => {
      watch(isDark, draw, { immediate: true })
    })

    return () => [
      drawing.value !== '' &&
        h('div', { class: 'diagram', role: 'img', 'aria-label': title, innerHTML: drawing.value }),
      h(
        'ul',
        { class: 'diagram-steps' },
        steps.map(({ way, why }) => h('li', [h('strong', way), ` ${why}`])),
      ),
    ]
  },
})
