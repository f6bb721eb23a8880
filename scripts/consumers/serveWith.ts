// Runs the server of a framework in an app's folder for as long as something is tried with it.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Sandbox } from './sandbox.ts'

/** Starts a program of the folder's node_modules, waits until it says where it listens, and ends it after the work. */
export async function serveWith(
  sandbox: Sandbox,
  [program = '', ...words]: readonly string[],
  work: (origin: string) => Promise<string>,
): Promise<string> {
  const child = spawn(process.execPath, [join(sandbox.path, 'node_modules', program), ...words], {
    cwd: sandbox.path,
    env: { ...process.env, NO_COLOR: '1', NEXT_TELEMETRY_DISABLED: '1' },
  })
  const closed = new Promise((done) => child.once('close', done))
  try {
    const origin = await new Promise<string>((say, fail) => {
      let output = ''
      const read = (chunk: Buffer) => {
        output += chunk.toString()
        const found = /http:\/\/localhost:\d+/.exec(output)?.[0]
        if (found) say(found)
      }
      child.stdout.on('data', read)
      child.stderr.on('data', read)
      child.once('close', () => fail(new Error(`${program} ended:\n${output}`)))
    })
    return await work(origin)
  } finally {
    child.kill()
    await closed
  }
}
