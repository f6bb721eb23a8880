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

/** A group of the side bar has one stop of the keyboard, says whether it is open, and folds by Space as a button does. */
async function makeGroupsButtons() {
  await nextTick()
  const groups = document.querySelectorAll<HTMLElement>(
    '.VPSidebarItem.collapsible > .item:not([aria-expanded])',
  )
  for (const group of groups) {
    const caret = group.querySelector('.caret')
    caret?.setAttribute('tabindex', '-1')
    caret?.setAttribute('aria-hidden', 'true')
    const section = group.parentElement!
    const report = () => group.setAttribute('aria-expanded', `${!section.classList.contains('collapsed')}`)
    report()
    new MutationObserver(report).observe(section, { attributeFilter: ['class'] })
    group.addEventListener('keydown', (event) => {
      if (event.key !== ' ') return
      event.preventDefault()
      group.click()
    })
  }
}

export default {
  extends: DefaultTheme,
  setup() {
    const route = useRoute()
    onMounted(() => {
      watch(() => route.path, showActiveEntry, { immediate: true })
      watch(() => route.path, makeGroupsButtons, { immediate: true })
    })
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
