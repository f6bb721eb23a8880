// Builds the demo's app for the end-to-end tests, once for all runs that have the same sources.
import { join, relative, sep } from 'node:path'
import { version as viteVersion, type Plugin } from 'vite'
import type { TestProject } from 'vitest/node'
import { buildApp } from '../../demo/appServer/startBuiltServer.ts'
import { hashOfFiles, keptBuild } from './keptBuild.ts'

declare module 'vitest' {
  interface ProvidedContext {
    appFolder: string
  }
}

const ROOT = join(import.meta.dirname, '../..')

/** All that goes into the build. `.package-lock.json` is what npm has installed. */
const SOURCES = ['demo', 'src', 'package.json', 'tsconfig.json', 'node_modules/.package-lock.json']

export async function setup(project: TestProject): Promise<void> {
  const sources = hashOfFiles(ROOT, SOURCES)
  const folder = await keptBuild({
    folder: join(ROOT, '.cache/e2e-app'),
    key: `${sources}-node${process.versions.node}-vite${viteVersion}`,
    build: (into) => buildApp(into, [fromSourcesOnly()]),
  })
  project.provide('appFolder', folder)
}

/** A file that the hash leaves out would change and nobody would notice. */
const fromSourcesOnly = (): Plugin => ({
  name: 'from-sources-only',
  buildEnd() {
    const files = [...this.getModuleIds()].filter((id) => id.startsWith(ROOT)).map((id) => relative(ROOT, id))
    const others = files.filter((file) => ![...SOURCES, 'node_modules'].includes(file.split(sep)[0] ?? ''))
    if (others.length > 0) this.error(`Not in SOURCES of test/e2e/buildApp.ts: ${others.join(', ')}`)
  },
})
