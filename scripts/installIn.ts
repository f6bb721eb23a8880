// Installs the packages of a folder of tools that has its own, when they are first needed.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** @throws where npm does not succeed */
export function installIn(folder: string, ...words: readonly string[]): void {
  if (existsSync(`${folder}/node_modules`)) return
  const command = existsSync(`${folder}/package-lock.json`) ? ['ci'] : ['install', '--no-package-lock']
  const { status } = spawnSync('npm', ['--prefix', folder, ...command, '--no-audit', '--no-fund', ...words], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error(`The packages of ${folder} could not be installed`)
}
