// Builds the demo app into a folder, once for all runs with the same sources.
import { join, relative, sep } from 'node:path'
import { version as viteVersion, type Plugin } from 'vite'
import { buildApp } from '../demo/appServer/startBuiltServer.ts'
import { buildTryIt } from '../demo/tryIt/build.ts'
import { hashOfFiles, cachedBuild } from './cachedBuild.ts'

const ROOT = join(import.meta.dirname, '..')

/** All inputs of the build. `.package-lock.json` lists what npm has installed. */
const SOURCES = ['demo', 'src', 'package.json', 'tsconfig.json', 'node_modules/.package-lock.json']

const key = () => `${hashOfFiles(ROOT, SOURCES)}-node${process.versions.node}-vite${viteVersion}`

/** The folder; other runs with the same sources serve it too, so nothing is written into it. */
export async function builtApp(): Promise<string> {
  return cachedBuild({
    folder: join(ROOT, '.cache/e2e-app'),
    key,
    build: (into) => buildApp(into, [fromSourcesOnly()]),
  })
}

/** The same for the demo without a server; `base` is its path. */
export async function builtTryIt(base: string): Promise<string> {
  return cachedBuild({
    folder: join(ROOT, '.cache/try-it'),
    key: () => `${key()}-at${base.replaceAll(/\W/g, '_')}`,
    build: (into) => buildTryIt(into, base),
  })
}

/** Rejects inputs outside the hash: their changes would go unnoticed. */
const fromSourcesOnly = (): Plugin => ({
  name: 'from-sources-only',
  buildEnd() {
    const files = [...this.getModuleIds()].filter((id) => id.startsWith(ROOT)).map((id) => relative(ROOT, id))
    const others = files.filter((file) => ![...SOURCES, 'node_modules'].includes(file.split(sep)[0] ?? ''))
    if (others.length > 0) this.error(`Not in SOURCES of scripts/builtApp.ts: ${others.join(', ')}`)
  },
})
