// The default theme in colours that everybody can read, with diagrams.
import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import { Diagram } from './Diagram.ts'
import './style.css'

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => void app.component('Diagram', Diagram),
} satisfies Theme
