// A page with an AMD loader, as Monaco from a CDN brings one, in which the first editor of latchkey gets its Monaco.
import { createRoot } from 'react-dom/client'

Object.assign(window, {
  page: {},
  define: Object.assign(() => {}, { amd: {} }),
  // Vitest has it in the pages of its own.
  __vitest_browser_runner__: { wrapDynamicImport: (load: () => unknown) => load() },
})
// Monaco looks for the loader when its file comes.
const { JsonEditor } = await import('../../src/editor/index.ts')
createRoot(document.querySelector('#root')!).render(<JsonEditor label="Map" defaultValue="[1]" />)
