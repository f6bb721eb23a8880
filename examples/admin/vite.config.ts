// Serves the example; in this repository `latchkey` is its sources, in a copy the installed package.
import { existsSync } from 'node:fs'
import { defineConfig } from 'vite'

const sources = new URL('../../src/', import.meta.url)
const isInRepository = existsSync(new URL('index.ts', sources))

export default defineConfig({
  cacheDir: isInRepository ? '../../.cache/example' : 'node_modules/.vite',
  resolve: {
    alias: isInRepository
      ? [
          { find: /^latchkey$/, replacement: new URL('index.ts', sources).pathname },
          { find: /^latchkey\/(\w+)$/, replacement: `${sources.pathname}$1/index.ts` },
        ]
      : [],
  },
})
