// Imports a file of latchkey that the first load leaves out, with a limit.
import { fileMissing, timedOut } from '../base/errors.ts'
import { FILE_WAIT_MS } from '../base/sessionConstants.ts'
import { type Timers, within } from '../base/within.ts'

/** @throws AuthError `timeout`, `internal`; the next use loads it again */
export async function loadFile<File>(timers: Timers, load: () => Promise<File>): Promise<File> {
  const file = await within(timers, FILE_WAIT_MS, load).catch((error: unknown) => {
    throw fileMissing(error)
  })
  if (file === 'late') throw timedOut('A file of latchkey')
  return file
}
