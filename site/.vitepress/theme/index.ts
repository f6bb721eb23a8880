// The default theme in colours that everybody can read, with diagrams.
import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import { h } from 'vue'
import { Diagram } from './Diagram.ts'
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
  enhanceApp: ({ app }) => void app.component('Diagram', Diagram),
} satisfies Theme
