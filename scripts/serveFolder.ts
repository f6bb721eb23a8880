// Serves a folder of built pages on a free port of this computer.
import { preview } from 'vite'

export interface ServedFolder {
  /** Without a slash at its end. */
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
    // Files alone, as a plain host: an address without one is not found.
    appType: 'mpa',
    build: { outDir },
    preview: { port: 0, host: 'localhost', headers },
  })
  const address = server.resolvedUrls?.local[0] ?? ''
  return { origin: address.replace(/\/$/, ''), close: async () => server.close() }
}
