// Starts a program that stays: a browser, a display, a server of somebody else.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

export interface Program {
  /** What it has printed that `says` looks for. */
  readonly said: string
  /** Ends it, and waits until it has ended. */
  end(): Promise<void>
}

export interface ProgramOptions {
  env?: Readonly<Record<string, string>>
  cwd?: string
  /** What it prints once it can be used; without it, it can be used at once. */
  says?: RegExp
}

/** @throws where it ends before it can be used, with what it has printed */
export async function startProgram(
  command: string,
  words: readonly string[],
  { env = {}, cwd, says }: ProgramOptions = {},
): Promise<Program> {
  const child = spawn(command, words, { cwd, env: { ...process.env, ...env } })
  // It does not outlive what has started it.
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
