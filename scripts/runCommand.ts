// Runs one command line with the project's own programs first on the path, and keeps what it prints.
import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'

/** A step that takes longer has hung: better a clear failure than a build machine that waits for hours. */
const LIMIT_MS = 1_800_000

/** Between being told to end and being ended. */
const FAREWELL_MS = 10_000

export interface CommandResult {
  isSuccess: boolean
  output: string
}

export interface CommandOptions {
  env?: Record<string, string>
  /** What the command prints once it is at work: it is ended then, and that is its success. */
  until?: RegExp | undefined
  /** It has hung when it takes longer. Default: 30 minutes. */
  limitMs?: number | undefined
}

export function runCommand(
  commandLine: string,
  { env = {}, until, limitMs = LIMIT_MS }: CommandOptions = {},
): Promise<CommandResult> {
  const isWindows = process.platform === 'win32'
  const [command = '', ...args] = commandLine.split(' ')
  const pathName = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'
  const path = [join(process.cwd(), 'node_modules', '.bin'), process.env[pathName]].join(delimiter)

  return new Promise((resolve) => {
    const child = spawn(command, args, {
      env: { ...process.env, NO_COLOR: '1', ...env, [pathName]: path },
      stdio: ['ignore', 'pipe', 'pipe'],
      // Windows starts the .cmd files of node_modules/.bin through a shell only.
      shell: isWindows,
      // Elsewhere the command leads a group of its own, so that its workers and browsers end with it.
      detached: !isWindows,
    })
    const stop = (signal: NodeJS.Signals = 'SIGKILL') => {
      if (child.pid === undefined) return
      if (isWindows) spawn('taskkill', ['/pid', String(child.pid), '/T', '/F'])
      else killGroup(child.pid, signal)
    }
    const interrupt = () => {
      stop()
      // Every other command that is running hears it first.
      setImmediate(() => process.exit(130))
    }
    process.once('SIGINT', interrupt).once('SIGTERM', interrupt)

    let output = ''
    let hasHung = false
    let isAtWork = false
    let farewell: NodeJS.Timeout | undefined
    const limit = setTimeout(() => {
      hasHung = true
      stop()
    }, limitMs)
    const finish = (isSuccess: boolean, lastWord = '') => {
      clearTimeout(limit)
      clearTimeout(farewell)
      process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
      resolve({ isSuccess, output: output + lastWord })
    }

    const hear = (chunk: Buffer) => {
      output += chunk.toString()
      if (isAtWork || !until?.test(output)) return
      isAtWork = true
      // It gets the time to close its browsers.
      stop('SIGTERM')
      farewell = setTimeout(stop, FAREWELL_MS)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.on('error', (error) => finish(false, `\n${command} does not start: ${error.message}`))
    child.on('close', (code) => {
      if (hasHung) finish(false, `\nstopped after ${limitMs / 60_000} minutes`)
      else if (isAtWork) finish(true)
      else
        finish(
          code === 0 && !until,
          output.trim() === '' && code !== 0 ? `${commandLine} ended with code ${code}` : '',
        )
    })
  })
}

function killGroup(leader: number, signal: NodeJS.Signals) {
  try {
    process.kill(-leader, signal)
  } catch {
    // It ended by itself in the meantime.
  }
}
