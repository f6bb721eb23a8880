// The demo's app as a folder of files: built once for all runs that have the same sources.
import { join, relative, sep } from 'node:path'
import { version as viteVersion, type Plugin } from 'vite'
import { buildApp } from '../demo/appServer/startBuiltServer.ts'
import { buildTryIt } from '../demo/tryIt/build.ts'
import { hashOfFiles, keptBuild } from './keptBuild.ts'

const ROOT = join(import.meta.dirname, '..')

/** All that goes into the build. `.package-lock.json` is what npm has installed. */
const SOURCES = ['demo', 'src', 'package.json', 'tsconfig.json', 'node_modules/.package-lock.json']

const key = () => `${hashOfFiles(ROOT, SOURCES)}-node${process.versions.node}-vite${viteVersion}`

/** The folder: whoever else has the same sources serves it too, so nothing is written into it. */
export async function builtApp(): Promise<string> {
  return keptBuild({
    folder: join(ROOT, '.cache/e2e-app'),
    key,
    build: (into) => buildApp(into, [fromSourcesOnly()]),
  })
}

/** The demo that needs no server, in the same way; `base` is the path it is served below. */
export async function builtTryIt(base: string): Promise<string> {
  return keptBuild({
    folder: join(ROOT, '.cache/try-it'),
    key: () => `${key()}-at${base.replaceAll(/\W/g, '_')}`,
    build: (into) => buildTryIt(into, base),
  })
}

/** A file that the hash leaves out would change and nobody would notice. */
const fromSourcesOnly = (): Plugin => ({
  name: 'from-sources-only',
  buildEnd() {
    const files = [...this.getModuleIds()].filter((id) => id.startsWith(ROOT)).map((id) => relative(ROOT, id))
    const others = files.filter((file) => ![...SOURCES, 'node_modules'].includes(file.split(sep)[0] ?? ''))
    if (others.length > 0) this.error(`Not in SOURCES of scripts/builtApp.ts: ${others.join(', ')}`)
  },
})
