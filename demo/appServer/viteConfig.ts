// How Vite serves and builds the demo's app; the app imports `latchkey` by name, as any other app would.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { InlineConfig, Plugin } from 'vite'

const folder = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export const APP_FOLDER = folder('../app')

// Vite finds what pages import before it serves them, and what workers import too late: it would reload the page.
const OF_WORKERS = ['monaco-editor/editor/editor.worker', 'monaco-editor/languages/features/json/json.worker']

/** The styles of the first screen stand in the page. The app's own come after it, so that a slow file does not hold it back. */
const firstScreen = (): Plugin => ({
  name: 'first-screen',
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      const sheets = html.match(/<link rel="stylesheet"[^>]*>/g) ?? []
      const page = sheets.reduce((left, sheet) => left.replace(sheet, ''), html)
      const styles = readFileSync(`${APP_FOLDER}/firstScreen.css`, 'utf8')
      return page
        .replace('</head>', () => `<style>${styles}</style></head>`)
        .replace('</body>', () => `${sheets.join('')}</body>`)
    },
  },
})

export const viteConfig = (): InlineConfig => ({
  root: APP_FOLDER,
  configFile: false,
  logLevel: 'error',
  clearScreen: false,
  cacheDir: process.env['LATCHKEY_DEMO_CACHE'] ?? folder('../../.cache/demo-app'),
  publicDir: false,
  plugins: [react(), firstScreen()],
  resolve: {
    alias: [
      { find: /^latchkey$/, replacement: folder('../../src/index.ts') },
      { find: /^latchkey\/([\w-]+)$/, replacement: folder('../../src/$1/index.ts') },
    ],
  },
  optimizeDeps: { include: OF_WORKERS },
  server: {
    fs: { allow: [folder('../..')] },
    // For tests of the demo: somebody who saves a source file meanwhile would reload the page.
    ...(process.env['LATCHKEY_DEMO_WATCH'] === 'no' && { watch: null }),
  },
})
