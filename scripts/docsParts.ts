// Extracts parts of the pages of docs/, for the site, the package and apps that try them.
import { readFileSync } from 'node:fs'

/** A page without its comments, which are for authors. */
export function readDocsPage(path: string): string {
  return readFileSync(`docs/${path}`, 'utf8')
    .replaceAll('\r\n', '\n')
    .replaceAll(/^<!--[\s\S]*?-->\n/gm, '')
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/\n{3,}/g, '\n\n')
}

/** The text below a heading, up to the next of its level; `''` is the text before the first. @throws if there is none */
export function sectionOf(page: string, heading: string): string {
  if (heading === '') return page.split(/^## /m)[0] ?? ''
  const rank = /^#+/.exec(heading)?.[0] ?? ''
  const [, rest] = `\n${page}`.split(`\n${heading}\n`)
  if (rest === undefined) throw new Error(`no heading "${heading}"`)
  return rest.split(new RegExp(`^#{1,${rank.length}} `, 'm'))[0] ?? ''
}

/** The fenced blocks of a text, with their fences. */
export const blocksOf = (text: string): string[] =>
  [...text.matchAll(/^```\w+\n[\s\S]*?^```$/gm)].map(([block]) => block)

/** The code in the fences, optionally of one language. */
export const codeIn = (text: string, language = String.raw`\w+`): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'gm'))].map(([, code = '']) => code)

/** The files of a text, by the names above their code. */
export const filesOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/^`([\w./]+)`.*\n\n```\w+\n([\s\S]*?)^```/gm)].map(([, path = '', code = '']) => [
      path,
      code,
    ]),
  )

/** A page's first sentence, as the index shows it. */
export function firstSentence(page: string): string {
  const paragraph = page
    .split('\n')
    .slice(1)
    .find((line) => /^[\p{L}`*[]/u.test(line))
  return (paragraph ?? '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/(?<=[.:?!])\s[\s\S]*$/, '')
}
