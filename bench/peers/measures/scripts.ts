// How much JavaScript comes until somebody is signed in who had nothing cached: all files, on the way out and on the way back.
import { median } from '../../figures.ts'
import { openSignedIn, type Scene } from '../scene.ts'

const ROUNDS = 3

export interface Scripts {
  /** Compressed, heads of answers included. */
  bytes: number
  /** Results of an earlier run lack it. */
  files?: number
}

export async function scriptsUntilSignedIn(scene: Scene): Promise<Scripts> {
  const found: Required<Scripts>[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const context = await scene.openBrowser({ signsIn: true })
    const [bytes, files] = [scene.scriptBytes(), scene.scriptFiles()]
    await openSignedIn(scene, context)
    found.push({ bytes: scene.scriptBytes() - bytes, files: scene.scriptFiles() - files })
    await context.close()
  }
  const middle = (name: keyof Scripts) => median(found.map((one) => one[name]))
  return { bytes: middle('bytes'), files: middle('files') }
}
