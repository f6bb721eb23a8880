// Builds the demo as files that any host can serve: the app, one folder per screen, and the service worker that answers for its servers.
import { cpSync, mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build as bundle } from 'esbuild'
import { SCREENS } from '../app/screens/list.ts'
import { buildWith } from '../appServer/startBuiltServer.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))

/** `base`: the path it is served below, with a slash at both ends. */
export async function buildTryIt(into: string, base: string): Promise<void> {
  const outDir = resolve(into)
  await buildWith(outDir, join(folder, 'appConfig.ts'), { root: folder, base })
  await bundle({
    entryPoints: [join(folder, 'worker.ts')],
    outfile: join(outDir, 'worker.js'),
    bundle: true,
    minify: true,
    target: 'es2022',
  })
  for (const path of screenPaths()) {
    const page = join(outDir, path, 'index.html')
    mkdirSync(dirname(page), { recursive: true })
    cpSync(join(outDir, 'index.html'), page)
  }
}

/** Without the first screen, which is the page itself. */
export const screenPaths = (): string[] => SCREENS.map(({ path }) => path.slice(1)).filter(Boolean)
