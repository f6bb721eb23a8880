// Promises of the runner under the test command: what a step printed is kept, and a step that broke never passes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { runCommand } from '../../../scripts/runCommand.ts'

it("runs a step on the project's own Node and keeps what it prints", async () => {
  expect(await runCommand('node --version')).toEqual({ isSuccess: true, output: `${process.version}\n` })
})

it('hands variables to the step', async () => {
  const { output } = await runCommand('node --print process.env.STEP', { env: { STEP: 'browser' } })
  expect(output).toBe('browser\n')
})

it('says so when a step ends with a code and no word', async () => {
  expect(await runCommand('node --eval process.exit(3)')).toEqual({
    isSuccess: false,
    output: 'node --eval process.exit(3) ended with code 3',
  })
})

it('fails when the program is not there', async () => {
  expect(await runCommand('no-such-program')).toMatchObject({ isSuccess: false })
})

it('ends a step that is at work, and takes that for its success', async () => {
  const command = 'node --eval console.log("at\\u0020work");setInterval(Object,1000)'
  expect(await runCommand(command, { until: /at work/ })).toEqual({ isSuccess: true, output: 'at work\n' })
})

it('fails when a step ends before it is at work', async () => {
  expect(await runCommand('node --eval process.exit(3)', { until: /at work/ })).toMatchObject({
    isSuccess: false,
  })
  // It never said so.
  expect(await runCommand('node --version', { until: /at work/ })).toMatchObject({ isSuccess: false })
})

// Windows ends a process without asking it.
it.skipIf(process.platform === 'win32')(
  'ends every command that is running when the run itself is stopped',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-run-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    // Each writes its process into the folder.
    const stay =
      'node --eval require("fs").writeFileSync(process.argv[1]+process.pid,"");setInterval(Object,1000)'
    const runner = pathToFileURL(resolve('scripts/runCommand.ts')).href
    const both = `import { runCommand } from '${runner}'
    for (const name of ['one-', 'two-']) void runCommand(${JSON.stringify(stay)} + ' ${join(folder, '/')}' + name)`
    const run = spawn(process.execPath, ['--input-type=module', '--eval', both], { stdio: 'ignore' })
    await expect.poll(() => readdirSync(folder)).toHaveLength(2)
    const pids = readdirSync(folder).map((name) => Number(name.split('-')[1]))
    const isRunning = (pid: number) => {
      try {
        return process.kill(pid, 0)
      } catch {
        return false
      }
    }
    expect(pids.map(isRunning)).toEqual([true, true])
    onTestFinished(() => pids.filter(isRunning).forEach((pid) => process.kill(pid)))

    run.kill('SIGTERM')
    expect(await once(run, 'exit')).toEqual([130, null])
    await expect.poll(() => pids.filter(isRunning)).toEqual([])
  },
)
