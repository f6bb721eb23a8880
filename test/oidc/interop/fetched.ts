// Servers that are large to fetch: they come by the ordinary client of their registry, once, into a folder outside of the repository.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const CACHE = join(homedir(), '.cache', 'latchkey-interop')

const hasProgram = (name: string) => !spawnSync(name, [name === 'go' ? 'version' : '--version']).error

/** Why such a server cannot be fetched here; `undefined`: it can. */
export const lacks = (programs: readonly string[], words: string): string | undefined =>
  programs.every(hasProgram) ? undefined : `it needs ${words}`

/** Runs one command where the server is made. */
export type Make = (command: string, ...words: readonly string[]) => void

/**
 * The folder that `make` has filled, or one inside it, whose name it returns. A folder that is there is taken as it is.
 *
 * @param sources A folder of this repository whose files it begins with: other files, another folder.
 */
export function fetched(
  name: string,
  make: (run: Make, folder: string) => string | void,
  sources?: string,
): string {
  const folder = join(CACHE, sources === undefined ? name : `${name}-${digestOf(sources)}`)
  if (existsSync(folder)) return folder
  const building = join(CACHE, 'building', name)
  rmSync(building, { recursive: true, force: true })
  mkdirSync(building, { recursive: true })
  if (sources !== undefined) cpSync(sources, building, { recursive: true })
  console.log(`     is fetched and built, once, into ${folder}`)
  const run: Make = (command, ...words) => void execFileSync(command, words, { cwd: building, stdio: 'pipe' })
  renameSync(join(building, make(run, building) ?? '.'), folder)
  rmSync(building, { recursive: true, force: true })
  return folder
}

/** Of all files in a folder of this repository. */
function digestOf(sources: string): string {
  const hash = createHash('sha256')
  for (const file of readdirSync(sources, { recursive: true, withFileTypes: true }))
    if (file.isFile()) hash.update(file.name).update(readFileSync(join(file.parentPath, file.name)))
  return hash.digest('hex').slice(0, 8)
}
