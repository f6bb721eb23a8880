// Promises of the runner under the test command: what a step printed is kept, and a step that broke never passes.
import { expect, it } from 'vitest'
import { runCommand } from '../../scripts/runCommand.ts'

it("runs a step on the project's own Node and keeps what it prints", async () => {
  expect(await runCommand('node --version')).toEqual({ isSuccess: true, output: `${process.version}\n` })
})

it('hands variables to the step', async () => {
  const { output } = await runCommand('node --print process.env.STEP', { STEP: 'browser' })
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
