// Promises of the runner under the test command: what a step printed is kept, and a step that broke never passes.
import { expect, it } from 'vitest'
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
