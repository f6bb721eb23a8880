// Keeps what was built from the same sources, so that one run after another does not build it again.
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'

/** A run that is under way uses a build no longer. */
const KEPT_FOR_MS = 24 * 60 * 60_000

/** The hash of all these files, by name and content; a folder counts with all that is in it. */
export function hashOfFiles(root: string, paths: readonly string[]): string {
  const files = paths.flatMap((path) => {
    const full = join(root, path)
    if (!existsSync(full)) return []
    return statSync(full).isDirectory() ? filesIn(full) : [full]
  })
  const hash = createHash('sha256')
  for (const file of files.toSorted()) {
    const content = readFileSync(file)
    hash.update(`${relative(root, file).replaceAll('\\', '/')}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex').slice(0, 32)
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))

/**
 * The folder `<folder>/<key>`, built when it is not there. Two runs at once may both build; the first one's is kept. What was
 * built while somebody changed the sources is of no key: this run alone has it.
 */
export async function keptBuild({
  folder,
  key,
  build,
}: {
  folder: string
  key: () => string
  build: (into: string) => Promise<void>
}): Promise<string> {
  const asked = key()
  const kept = join(folder, asked)
  if (existsSync(kept)) return kept
  mkdirSync(folder, { recursive: true })
  for (const other of readdirSync(folder).map((name) => join(folder, name)))
    // Another run may have removed it since.
    if (Date.now() - (statSync(other, { throwIfNoEntry: false })?.mtimeMs ?? 0) > KEPT_FOR_MS)
      rmSync(other, { recursive: true, force: true })
  const own = join(folder, `unfinished-${randomUUID()}`)
  await build(own)
  if (key() !== asked) return own
  try {
    // Whole or not at all.
    renameSync(own, kept)
  } catch (error) {
    if (!existsSync(kept)) throw error
    rmSync(own, { recursive: true, force: true })
  }
  return kept
}
