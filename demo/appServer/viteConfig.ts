// How Vite serves and builds the demo's app; the app imports `latchkey` by name, as any other app would.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { InlineConfig, Plugin } from 'vite'

const folder = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export const APP_FOLDER = folder('../app')

// A dependency that Vite finds late makes it reload the page, in the middle of a sign-in perhaps.
const PREBUNDLED = [
  '@monaco-editor/react',
  '@tanstack/react-query',
  '@tanstack/react-query-devtools',
  'jsonrepair',
  'jwt-decode',
  'monaco-editor/editor',
  'monaco-editor/editor/editor.worker',
  'monaco-editor/editor/standalone/browser/standaloneServices',
  'monaco-editor/features/register.all',
  'monaco-editor/languages/features/common/lspLanguageFeatures',
  'monaco-editor/languages/features/json/json.worker',
  'monaco-editor/platform/webWorker/browser/webWorkerService',
  '@cfworker/json-schema',
  'ofetch',
  'pubnub',
  'react',
  'react-dom',
  'react-dom/client',
  'react-hot-toast/headless',
  'react/jsx-dev-runtime',
  'react/jsx-runtime',
]

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
  optimizeDeps: { include: PREBUNDLED },
  server: {
    fs: { allow: [folder('../..')] },
    // For tests of the demo: somebody who saves a source file meanwhile would reload the page.
    ...(process.env['LATCHKEY_DEMO_WATCH'] === 'no' && { watch: null }),
  },
})
