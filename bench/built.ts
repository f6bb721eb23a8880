// Where the bench builds the package, and how its pages find it.
import { fileURLToPath } from 'node:url'

/** From the root of the repository. */
export const BUILT_FOLDER = '.cache/bench/dist'

/** The whole path of a file in the cache of the bench. */
export const inCache = (path: string): string =>
  fileURLToPath(new URL(`../.cache/bench/${path}`, import.meta.url))

/** The package's front door, as an app that imports `latchkey` gets it. */
export const FRONT_DOOR: string = inCache('dist/index.js')
