// npm run docs and npm run docs:build: the static site of docs/, with tools in a folder of their own that are installed when first needed.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const FOLDER = 'site'
const [command = 'dev'] = process.argv.slice(2)
const npm = (...words: string[]) => {
  const { status } = spawnSync('npm', ['--prefix', FOLDER, ...words], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) process.exit(status ?? 1)
}

if (!existsSync(`${FOLDER}/node_modules`)) npm('ci', '--no-audit', '--no-fund')
npm('run', command)
