// npm run early: writes the sizes of the early scripts and their CSP hashes into docs/early.md.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { buildEarlyScript, type EarlyScript } from './earlyScript.ts'
import { writePage } from './writtenPage.ts'

const PAGE = 'docs/early.md'
const FILES = { inline: 'index', oidc: 'oidc' } as const

type Scripts = Readonly<Record<keyof typeof FILES, EarlyScript>>

/** The page with the figures of these scripts; throws if the page lacks one. */
export function earlyPage(page: string, scripts: Scripts): string {
  const put = (text: string, pattern: RegExp, figure: string): string => {
    if (!pattern.test(text)) throw new Error(`${PAGE} has nothing that fits ${String(pattern)}`)
    return text.replace(pattern, figure)
  }
  const kilobytes = ({ text }: EarlyScript) => (gzipSync(text, { level: 9 }).length / 1000).toFixed(1)
  let text = page
  for (const [name, script] of Object.entries(scripts))
    text = put(
      text,
      new RegExp(String.raw`(latchkey/early/${name}\.js\`) \([\d.]+ kB gzip\)`),
      `$1 (${kilobytes(script)} kB gzip)`,
    )
  text = put(text, /'sha256-[^']*'(?=[^]*For `oidc\.js`)/, scripts.inline.hash)
  return put(text, /(?<=For `oidc\.js`[^]*)'sha256-[^']*'/, scripts.oidc.hash)
}

export async function buildEarlyScripts(): Promise<Scripts> {
  return { inline: await buildEarlyScript(FILES.inline), oidc: await buildEarlyScript(FILES.oidc) }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writePage(PAGE, earlyPage(readFileSync(PAGE, 'utf8'), await buildEarlyScripts()))
