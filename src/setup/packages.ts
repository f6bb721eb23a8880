// Finds an app's packages in its folder as Node does.
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export const versionAt = (folder: string): string =>
  (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version

/** The folder and version of a package, as imports in `from` resolve it. */
export function folderOf(name: string, from: string): { path: string; version: string } | undefined {
  const paths = createRequire(join(from, 'index.js')).resolve.paths(name) ?? []
  const found = paths.map((path) => join(path, name)).find((path) => existsSync(join(path, 'package.json')))
  if (found === undefined) return undefined
  const path = realpathSync(found)
  return { path, version: versionAt(path) }
}

/** The folder of the package that this file is in. */
export function packageFolder(file: string): string {
  let folder = dirname(file)
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder)
  return realpathSync(folder)
}
