// Names a file that is needed later, and what it imports, in the page: as the documentation advises for what a session needs.
import type { Plugin } from 'vite'

/** @param wanted Name of the chunk; without one nothing is named. */
export function preloading(wanted: string | undefined): Plugin {
  return {
    name: 'bench-preloads',
    transformIndexHtml: (_html, { bundle = {} }) =>
      Object.values(bundle).flatMap((file) => {
        const isWanted = wanted !== undefined && file.type === 'chunk' && file.name === wanted
        return (isWanted ? [file.fileName, ...file.imports] : []).map((name) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', href: `/${name}` },
          injectTo: 'head' as const,
        }))
      }),
  }
}
