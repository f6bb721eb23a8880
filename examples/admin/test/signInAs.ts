// `signInAs` of latchkey: in this repository from its sources, in a copy from the installed package.
import { existsSync } from 'node:fs'

const sources = new URL('../../../src/testing/playwright/index.ts', import.meta.url)
export const { signInAs } = (await import(
  existsSync(sources) ? sources.href : 'latchkey/testing/playwright'
)) as typeof import('latchkey/testing/playwright')
