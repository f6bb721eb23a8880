// Builds the demo's app once for all end-to-end tests, in a folder of its own that goes when they end.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { buildApp } from '../../demo/appServer/startBuiltServer.ts'

declare module 'vitest' {
  interface ProvidedContext {
    appFolder: string
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-e2e-'))
  await buildApp(folder)
  project.provide('appFolder', folder)
  return async () => rm(folder, { recursive: true, force: true })
}
