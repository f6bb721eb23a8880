// Builds the demo's app for the end-to-end tests, once for all runs that have the same sources.
import type { TestProject } from 'vitest/node'
import { builtApp } from '../../scripts/builtApp.ts'

declare module 'vitest' {
  interface ProvidedContext {
    appFolder: string
  }
}

export async function setup(project: TestProject): Promise<void> {
  project.provide('appFolder', await builtApp())
}
