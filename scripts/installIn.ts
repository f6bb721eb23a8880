// Installs the packages of a tool folder on first use and when its list has changed.
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'

/** @throws if npm fails */
export function installIn(folder: string, ...words: readonly string[]): void {
  const changedAtMs = (file: string) => statSync(`${folder}/${file}`, { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (changedAtMs('node_modules/.package-lock.json') > changedAtMs('package.json')) return
  const { status } = spawnSync('npm', ['--prefix', folder, 'ci', '--no-audit', '--no-fund', ...words], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error(`The packages of ${folder} could not be installed`)
}
