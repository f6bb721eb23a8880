// Pages that scripts write, or a part of them.
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

/** The first row is the head. */
export function tableOf([head = [], ...rows]: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

export const today = (): string => new Date().toISOString().slice(0, 10)

/** When and of what a record was made; `releaseCheck.ts` reads it. */
export const madeNow = (): string => {
  const commit = execFileSync('git', ['rev-parse', '--short=10', 'HEAD'], { encoding: 'utf8' }).trim()
  return `on ${today()} at commit ${commit}`
}

/** Writes a page, its tables lined up as the format wants them. */
export function writePage(path: string, text: string): void {
  writeFileSync(path, text)
  spawnSync('npx', ['oxfmt', path], { shell: process.platform === 'win32' })
}

/** Writes what stands on a page between `<!-- result -->` and `<!-- end -->`. */
export function writeResult(path: string, text: string): void {
  const [front = '', rest = ''] = readFileSync(path, 'utf8').split('<!-- result -->')
  writePage(
    path,
    `${front}<!-- result -->\n\n${text}\n\n<!-- end -->${rest.split('<!-- end -->')[1] ?? '\n'}`,
  )
}

/** A page without its padding: what only lines up tables does not count where two are compared. */
export const plainPage = (page: string): string =>
  page
    .replaceAll(/ *\| */g, '|')
    .replaceAll(/-{3,}/g, '---')
    .replaceAll(/\n{2,}/g, '\n')
    .trim()
