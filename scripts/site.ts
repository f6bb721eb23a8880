// npm run docs and npm run docs:build: the static site of docs/, with tools in a folder of their own that are installed when first needed.
import { spawn } from 'node:child_process'
import { cpSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import { builtTryIt } from './builtApp.ts'
import { installIn } from './installIn.ts'

const FOLDER = 'site'
const [command = 'dev'] = process.argv.slice(2)

// A copy, because the site's tools are found from where the pages lie. The first page shows the code of README.md.
function copy() {
  cpSync('docs', `${FOLDER}/pages`, { recursive: true })
  const [, code] = /^## In twenty lines\n+(```tsx\n[\s\S]*?^```)/m.exec(readPage('README.md')) ?? []
  if (code === undefined) throw new Error('README.md has no code under "In twenty lines"')
  const home = readPage(`${FOLDER}/home.md`).replace('<!-- twenty lines -->', () => code)
  writeFileSync(`${FOLDER}/pages/index.md`, home)
}
const readPage = (path: string) => readFileSync(path, 'utf8').replaceAll('\r\n', '\n')
rmSync(`${FOLDER}/pages`, { recursive: true, force: true })
copy()

installIn(FOLDER)
// Diagrams are drawn by Mermaid as it comes, beside the pages.
const MERMAID = `${FOLDER}/node_modules/mermaid/dist`
for (const part of ['mermaid.esm.min.mjs', 'chunks/mermaid.esm.min'])
  cpSync(`${MERMAID}/${part}`, `${FOLDER}/public/mermaid/${part}`, {
    recursive: true,
    filter: (path) => !path.endsWith('.map'),
  })
// The demo, which runs in the browser of whoever reads the pages.
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
