// Draws a diagram of a page in the page's own colours, from a script of this site; until then, and without scripts, its text stands there.
import type { Mermaid } from 'mermaid'
import { useData, withBase } from 'vitepress'
import { defineComponent, h, onMounted, ref, useId, watch } from 'vue'

/** Mermaid as its authors built it: to bundle it once more takes a minute. */
const MERMAID = '/mermaid/mermaid.esm.min.mjs'

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
        theme: isDark.value ? 'dark' : 'neutral',
        themeVariables: {
          edgeLabelBackground: isDark.value ? '#1b1b1f' : '#ffffff',
          labelBackgroundColor: isDark.value ? '#1b1b1f' : '#ffffff',
        },
        fontFamily: 'inherit',
      })
      drawing.value = (await mermaid.render(id, source)).svg
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
