// Runs the server of a framework in an app's folder for as long as something is tried with it.
import { join } from 'node:path'
import { startProgram } from '../../scripts/startProgram.ts'
import type { Sandbox } from './sandbox.ts'

/** Starts a program of the folder's node_modules, waits until it says where it listens, and ends it after the work. */
export async function serveWith(
  sandbox: Sandbox,
  [program = '', ...words]: readonly string[],
  work: (origin: string) => Promise<string>,
): Promise<string> {
  const server = await startProgram(
    process.execPath,
    [join(sandbox.path, 'node_modules', program), ...words],
    {
      cwd: sandbox.path,
      env: { NO_COLOR: '1', NEXT_TELEMETRY_DISABLED: '1' },
      says: /http:\/\/localhost:\d+/,
    },
  )
  try {
    return await work(server.said)
  } finally {
    await server.end()
  }
}
