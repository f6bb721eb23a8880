// A page with an AMD loader, like that of Monaco from a CDN, in which latchkey's first editor loads Monaco.
import { createRoot } from 'react-dom/client'

Object.assign(window, {
  page: {},
  define: Object.assign(() => {}, { amd: {} }),
  // Vitest defines it in its own pages.
  __vitest_browser_runner__: { wrapDynamicImport: (load: () => unknown) => load() },
})
// Monaco looks for the loader when it loads.
const { JsonEditor } = await import('../../src/editor/index.ts')
createRoot(document.querySelector('#root')!).render(<JsonEditor label="Map" defaultValue="[1]" />)
