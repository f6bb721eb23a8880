// Draws a diagram of a page in the page's own colours, from a script of this site; until then, and without scripts, its text stands there.
import { useData } from 'vitepress'
import { defineComponent, h, onMounted, ref, useId, watch } from 'vue'

export const Diagram = defineComponent({
  props: { text: { type: String, required: true } },
  setup(props) {
    const { isDark } = useData()
    const source = decodeURIComponent(props.text)
    const title = /^\s*accTitle: (.+)$/m.exec(source)?.[1] ?? 'Diagram'
    const id = `diagram${useId().replaceAll(/\W/g, '')}`
    const drawing = ref('')

    async function draw() {
      const { default: mermaid } = await import('mermaid')
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
