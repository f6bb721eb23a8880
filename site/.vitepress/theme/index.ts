// The default theme in colours that everybody can read, with diagrams.
import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import { h } from 'vue'
import { Diagram } from './Diagram.ts'
import { Landing } from './Landing.ts'
import { RunningDemo } from './RunningDemo.ts'
import { NoSuchPage } from './NoSuchPage.ts'
import './style.css'

export default {
  extends: DefaultTheme,
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
