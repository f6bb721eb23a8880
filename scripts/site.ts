// npm run docs and npm run docs:build: the static site of docs/, with its tools in their own folder, installed on first use.
import { spawn } from 'node:child_process'
import { cpSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import { builtTryIt } from './builtApp.ts'
import { blocksOf, readDocsPage, sectionOf } from './docsParts.ts'
import { installIn } from './installIn.ts'

const FOLDER = 'site'
const [command = 'dev'] = process.argv.slice(2)

// A copy, because the site's tools resolve packages from the pages' folder. The first page and "Why latchkey" show parts of README.md.
function copy() {
  cpSync('docs', `${FOLDER}/pages`, { recursive: true })
  const readme = readDocsPage('../README.md')
  const codeOf = (heading: string) => blocksOf(sectionOf(readme, heading))[0] ?? ''
  const home = readPage(`${FOLDER}/home.md`)
    .replace('<!-- install -->', () => sectionOf(readme, '## Install').trim())
    .replace('<!-- whole app -->', () => codeOf('## A whole app in one file'))
  const why = ['## Why latchkey', '## Measured against others'].map((heading) => sectionOf(readme, heading))
  const pages = {
    index: home,
    why: `---\naside: false\ndescription: One session across tabs, one renewal for all, tokens in memory; measured against other libraries.\n---\n\n# Why latchkey\n${why.join('\n## Measured against others\n')}`,
    changelog: readPage('CHANGELOG.md'),
  }
  for (const [name, text] of Object.entries(pages))
    writeFileSync(
      `${FOLDER}/pages/${name}.md`,
      text.replaceAll(/\]\((?!\w+:|#)(docs\/)?/g, (_, own) => (own === undefined ? '](../' : '](')),
    )
  copyBrand()
}
/** Logo and colours come from the demo. */
function copyBrand() {
  const [, mark = ''] = /href="data:image\/svg\+xml,(.*?)"/.exec(readPage('demo/app/index.html')) ?? []
  writeFileSync(`${FOLDER}/public/mark.svg`, decodeURIComponent(mark))
  const [, colours = ''] = /\n:root \{(.*?)\}/s.exec(readPage('demo/app/firstScreen.css')) ?? []
  if (![mark, colours].every((text) => text.length > 100))
    throw new Error('The demo has no mark, or no colours')
  // The site has its own theme switch.
  writeFileSync(
    `${FOLDER}/.vitepress/theme/colours.css`,
    `:root {${colours}color-scheme: light;\n}\n.dark {\n  color-scheme: dark;\n}\n`,
  )
}
const readPage = (path: string) => readFileSync(path, 'utf8').replaceAll('\r\n', '\n')
rmSync(`${FOLDER}/pages`, { recursive: true, force: true })
copy()

installIn(FOLDER)
// Mermaid, unchanged, beside the pages: it draws the diagrams.
cpSync(`${FOLDER}/node_modules/@mermaid-js/tiny/dist/mermaid.tiny.js`, `${FOLDER}/public/mermaid.js`)
// The demo, which runs in the reader's browser.
rmSync(`${FOLDER}/public/try`, { recursive: true, force: true })
cpSync(await builtTryIt(`${process.env['DOCS_BASE'] ?? '/'}try/`), `${FOLDER}/public/try`, {
  recursive: true,
})
const watching = command === 'dev' ? watch('docs', { recursive: true }, copy) : undefined
spawn('npm', ['--prefix', FOLDER, 'run', command], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
}).once('close', (code) => {
  watching?.close()
  process.exitCode = code ?? 1
})
