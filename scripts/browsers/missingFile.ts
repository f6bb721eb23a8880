// A built app that lacks one of its later files for a while, as after a deployment that took the old ones away.
import { readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'

/** Takes a file out of the build while the work is done; the work may put it back before. */
export async function withoutFile(
  folder: string,
  name: string,
  work: (putBack: () => void) => Promise<void>,
): Promise<void> {
  const assets = join(folder, 'assets')
  const file = readdirSync(assets).find((one) => one.startsWith(`${name}-`) && one.endsWith('.js'))
  if (file === undefined) throw new Error(`the build has no file ${name}`)
  const [here, away] = [join(assets, file), join(folder, file)]
  renameSync(here, away)
  let isAway = true
  const putBack = () => {
    if (isAway) renameSync(away, here)
    isAway = false
  }
  try {
    await work(putBack)
  } finally {
    putBack()
  }
}
