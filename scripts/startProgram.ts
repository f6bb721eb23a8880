// Starts a long-running program: a browser, a display, a third-party server.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

export interface Program {
  /** The output that matched `says`. */
  readonly said: string
  /** Terminates it and waits for its end. */
  end(): Promise<void>
}

export interface ProgramOptions {
  env?: Readonly<Record<string, string>>
  cwd?: string
  /** Output that shows it is ready; without this, it is ready at once. */
  says?: RegExp
}

/** @throws if it exits before it is ready, with its output */
export async function startProgram(
  command: string,
  words: readonly string[],
  { env = {}, cwd, says }: ProgramOptions = {},
): Promise<Program> {
  const child = spawn(command, words, { cwd, env: { ...process.env, ...env } })
  // Ends with the process that started it.
  const kill = () => void child.kill()
  process.once('exit', kill)
  const isOver = () => child.exitCode !== null || child.signalCode !== null
  const end = async () => {
    child.kill()
    if (!isOver()) await once(child, 'exit')
    process.off('exit', kill)
  }
  let output = ''
  const said = await new Promise<string>((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      output += chunk.toString()
      const [found] = says?.exec(output) ?? []
      if (found !== undefined) resolve(found)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`${command} has ended:\n${output}`)))
    if (!says) child.once('spawn', () => resolve(''))
  })
  return { said, end }
}
