// Draws a diagram of a page in the page's own colours, from a script of this site; until then, and without scripts, its text stands there.
import type { Mermaid } from 'mermaid'
import { useData, withBase } from 'vitepress'
import { defineComponent, h, onMounted, ref, useId, watch } from 'vue'

/** Mermaid as its authors built it: to bundle it once more takes a minute. */
const MERMAID = '/mermaid/mermaid.esm.min.mjs'

/** Those of the pages; Mermaid reckons with them, so they are no names of variables. */
function colours(isDark: boolean) {
  const [page, soft, text, line, brand, brandSoft] = isDark
    ? ['#1b1b1f', '#26272e', '#dfdfd6', '#a3a8b3', '#93b4ff', '#22304f']
    : ['#ffffff', '#f6f6f7', '#3c3c43', '#5b6068', '#1d4ed8', '#e6edff']
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

/** Three quarters of its own width at least, so that its words can be read: what does not fit is scrolled to. */
const readable = (svg: string) =>
  svg.replace(
    /max-width: ([\d.]+)px;/,
    (all, width: string) => `${all} min-width: ${0.74 * Number(width)}px;`,
  )

let loading: Promise<Mermaid> | undefined
const loadMermaid = () =>
  (loading ??= new Promise((resolve, reject) => {
    // A script of the page, because Vite's own import() does not take what lies in public/.
    const script = document.createElement('script')
    script.type = 'module'
    script.textContent = `import mermaid from ${JSON.stringify(withBase(MERMAID))}
      document.dispatchEvent(new CustomEvent('mermaid', { detail: mermaid }))`
    script.addEventListener('error', reject)
    const take = (event: Event) => resolve((event as CustomEvent<Mermaid>).detail)
    document.addEventListener('mermaid', take, { once: true })
    document.head.append(script)
  }))

export const Diagram = defineComponent({
  props: { text: { type: String, required: true } },
  setup(props) {
    const { isDark } = useData()
    const source = decodeURIComponent(props.text)
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
      drawing.value = readable((await mermaid.render(id, source)).svg)
    }
    onMounted(() => {
      watch(isDark, draw, { immediate: true })
    })

    // A region of its own that can be reached and scrolled by keyboard: on a phone a diagram is wider than the page.
    return () =>
      drawing.value === ''
        ? h('pre', { class: 'diagram' }, source)
        : h('div', {
            class: 'diagram',
            role: 'region',
            'aria-label': title,
            tabindex: 0,
            innerHTML: drawing.value,
          })
  },
})
