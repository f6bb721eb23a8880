// Caches builds by the hash of their sources, so that later runs do not build again.
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'

/** No run uses a build for longer. */
const CACHED_FOR_MS = 24 * 60 * 60_000

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
 * The folder `<folder>/<key>`, built if absent. Of two concurrent builds the first is cached. If the sources changed during a
 * build, it gets no key: only this run uses it.
 */
export async function cachedBuild({
  folder,
  key,
  build,
}: {
  folder: string
  key: () => string
  build: (into: string) => Promise<void>
}): Promise<string> {
  const asked = key()
  const cached = join(folder, asked)
  if (existsSync(cached)) return cached
  mkdirSync(folder, { recursive: true })
  for (const other of readdirSync(folder).map((name) => join(folder, name)))
    // Another run may have removed it meanwhile.
    if (Date.now() - (statSync(other, { throwIfNoEntry: false })?.mtimeMs ?? 0) > CACHED_FOR_MS)
      rmSync(other, { recursive: true, force: true })
  const own = join(folder, `unfinished-${randomUUID()}`)
  await build(own)
  if (key() !== asked) return own
  try {
    // Atomic.
    renameSync(own, cached)
  } catch (error) {
    if (!existsSync(cached)) throw error
    rmSync(own, { recursive: true, force: true })
  }
  return cached
}
