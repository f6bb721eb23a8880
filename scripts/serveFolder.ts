// Serves a folder of built pages on a free local port.
import { preview } from 'vite'

export type ServedFolder = Awaited<ReturnType<typeof serveFolder>>

export async function serveFolder(
  root: string,
  outDir: string,
  headers: Readonly<Record<string, string>> = {},
) {
  const server = await preview({
    configFile: false,
    root,
    logLevel: 'error',
    // Only files, like a plain host: an unknown path is a 404.
    appType: 'mpa',
    build: { outDir },
    preview: { port: 0, host: 'localhost', headers },
  })
  const address = server.resolvedUrls?.local[0] ?? ''
  return { origin: address.replace(/\/$/, ''), close: () => server.close() }
}
