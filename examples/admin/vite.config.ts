// Serves the example; in this repository `latchkey` is its sources, in a copy the installed package.
import { existsSync } from 'node:fs'
import { defineConfig } from 'vite'
import { authConfig } from './src/authConfig.ts'

const sources = new URL('../../src/', import.meta.url)
const isInRepository = existsSync(new URL('index.ts', sources))

// A build of the repository is in its `dist`.
const PLUGIN = isInRepository ? new URL('../../dist/vite/index.js', import.meta.url).href : 'latchkey/vite'
const { latchkey } = (await import(PLUGIN)) as typeof import('latchkey/vite')

export default defineConfig({
  plugins: [latchkey(authConfig)],
  cacheDir: isInRepository ? '../../.cache/example' : 'node_modules/.vite',
  resolve: {
    alias: isInRepository
      ? [
          { find: /^latchkey$/, replacement: new URL('index.ts', sources).pathname },
          { find: /^latchkey\/([\w-]+)$/, replacement: `${sources.pathname}$1/index.ts` },
        ]
      : [],
  },
})
