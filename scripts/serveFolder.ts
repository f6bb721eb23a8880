// Serves a folder of built pages on a free local port.
import { preview } from 'vite'

export interface ServedFolder {
  /** Without a trailing slash. */
  readonly origin: string
  close(): Promise<void>
}

export async function serveFolder(
  root: string,
  outDir: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<ServedFolder> {
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
  return { origin: address.replace(/\/$/, ''), close: async () => server.close() }
}
