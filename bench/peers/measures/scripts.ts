// How much JavaScript comes until somebody is signed in who had nothing cached: all files, on the way out and on the way back.
import { median } from '../../figures.ts'
import { openSignedIn, type Scene } from '../scene.ts'

const ROUNDS = 3

export interface Scripts {
  /** Compressed, heads of answers included. */
  bytes: number
}

export async function scriptsUntilSignedIn(scene: Scene): Promise<Scripts> {
  const found: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const context = await scene.openBrowser({ signsIn: true })
    const before = scene.scriptBytes()
    await openSignedIn(scene, context)
    found.push(scene.scriptBytes() - before)
    await context.close()
  }
  return { bytes: median(found) }
}
