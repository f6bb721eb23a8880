// The code of a page of the documentation, as it stands there.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The code blocks of a section of a page, in order; those before the first section without a heading. */
export function codeOf(page: string, heading?: string): string[] {
  const text = readFileSync(page, 'utf8').replaceAll('\r\n', '\n')
  const section = heading === undefined ? text : text.split(`\n## ${heading}\n`)[1]
  if (section === undefined) throw new Error(`${page} has no section "${heading}"`)
  const [own = ''] = section.split('\n## ')
  return [...own.matchAll(/^```tsx?\n([\s\S]*?)^```/gm)].map(([, code = '']) => code)
}

/** Runs code that needs no page, as a module in a folder beside others; among the tests it finds `latchkey` by name, as in an app. */
export async function importCode(code: string, { among = '.cache', kind = 'ts' } = {}): Promise<unknown> {
  mkdirSync(among, { recursive: true })
  const folder = mkdtempSync(resolve(among, '.docs-'))
  try {
    const file = join(folder, `code.${kind}`)
    writeFileSync(file, code)
    return await import(/* @vite-ignore */ file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
