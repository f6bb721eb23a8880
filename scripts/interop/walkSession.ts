// Walks through every case of a whole session with one server, and tells of each.
import { createRig } from './rig.ts'
import type { InteropServer, RunningServer } from './server.ts'
import { SESSION_CASES } from './sessionCases.ts'
import type { Step } from './walk.ts'

/** No case needs the one before: one that fails stops no other. */
export async function walkSession(
  running: RunningServer,
  app: string,
  { leftOut = {} }: Pick<InteropServer, 'leftOut'>,
  tell: (step: Step) => void,
): Promise<void> {
  for (const { title, run } of SESSION_CASES) {
    const reason = leftOut[title]
    if (reason !== undefined) {
      tell({ title, isRight: true, found: `left out: ${reason}` })
      continue
    }
    const rig = createRig(running, app)
    try {
      tell({ title, isRight: true, found: await run(rig) })
    } catch (error) {
      tell({ title, isRight: false, found: error instanceof Error ? error.message : String(error) })
    } finally {
      rig.close()
    }
  }
}
