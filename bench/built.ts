// Where the bench builds the package, and how its pages find it.
import { fileURLToPath } from 'node:url'

/** From the root of the repository. */
export const BUILT_FOLDER = '.cache/bench/dist'

/** The whole path of a file in the cache of the bench. */
export const inCache = (path: string): string =>
  fileURLToPath(new URL(`../.cache/bench/${path}`, import.meta.url))

/** The package's entries, as an app that imports them gets them. */
export const ENTRIES: Readonly<Record<string, string>> = {
  // The longest first: a name stands for what is below it too.
  'latchkey/oidc': inCache('dist/oidc/index.js'),
  'latchkey/early': inCache('dist/early/index.js'),
  'latchkey/worker': inCache('dist/worker/index.js'),
  latchkey: inCache('dist/index.js'),
}
