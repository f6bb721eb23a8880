// The default theme in colours that everybody can read, with diagrams.
import type { Theme } from 'vitepress'
import { useRoute } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { h, nextTick, onMounted, watch } from 'vue'
import { Diagram } from './Diagram.ts'
import { Landing } from './Landing.ts'
import { RunningDemo } from './RunningDemo.ts'
import { NoSuchPage } from './NoSuchPage.ts'
import './colours.css'
import './style.css'

/** Moves the entry of the page that is shown into the part of the side bar that is in sight. */
async function showActiveEntry() {
  await nextTick()
  const bar = document.querySelector<HTMLElement>('.VPSidebar')
  const entry = bar?.querySelector('.VPSidebarItem.is-link.is-active')
  if (!bar || !entry) return
  const { top, bottom } = entry.getBoundingClientRect()
  const seen = bar.getBoundingClientRect()
  if (top < seen.top + 80 || bottom > seen.bottom - 40) bar.scrollTop += top - seen.top - seen.height / 3
}

export default {
  extends: DefaultTheme,
  setup() {
    const route = useRoute()
    onMounted(() => watch(() => route.path, showActiveEntry, { immediate: true }))
  },
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      'not-found': () => h(NoSuchPage),
      'doc-before': () => h(RunningDemo),
    }),
  enhanceApp({ app }) {
    app.component('Diagram', Diagram)
    // Named by `layout` of the first page.
    app.component('Landing', Landing)
  },
} satisfies Theme
