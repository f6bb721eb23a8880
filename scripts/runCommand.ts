// Runs one command line with the project's own programs first on the PATH, and captures its output.
import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'

/** A longer command has hung: a clear failure is better than a build machine that waits for hours. */
const LIMIT_MS = 1_800_000

export function runCommand(
  commandLine: string,
  env: Record<string, string> = {},
): Promise<{ isSuccess: boolean; output: string }> {
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
    const stop = () => {
      if (child.pid === undefined) return
      if (isWindows) spawn('taskkill', ['/pid', String(child.pid), '/T', '/F'])
      else killGroup(child.pid)
    }
    const interrupt = () => {
      stop()
      // Every other command that is running hears it first.
      setImmediate(() => process.exit(130))
    }
    process.once('SIGINT', interrupt).once('SIGTERM', interrupt)

    let output = ''
    let hasHung = false
    const limit = setTimeout(() => {
      hasHung = true
      stop()
    }, LIMIT_MS)
    const finish = (isSuccess: boolean, lastWord = '') => {
      clearTimeout(limit)
      process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
      resolve({ isSuccess, output: output + lastWord })
    }
    const hear = (chunk: Buffer) => {
      output += chunk.toString()
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.on('error', (error) => finish(false, `\n${command} does not start: ${error.message}`))
    child.on('close', (code) => {
      const lastWord = hasHung ? `stopped after ${LIMIT_MS / 60_000} minutes` : `ended with code ${code}`
      finish(code === 0, code === 0 ? '' : `\n${commandLine} ${lastWord}`)
    })
  })
}

function killGroup(leader: number) {
  try {
    process.kill(-leader, 'SIGKILL')
  } catch {
    // It ended by itself in the meantime.
  }
}
