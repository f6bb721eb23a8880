// Promises of the test command's word about the processor: what an ended step worked counts, and counts for that step.
import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { watchProcessor } from '../../../scripts/processorTime.ts'

it.runIf(process.platform === 'linux')('counts the work of a child of a child once, and no waiting', () => {
  const { spent, all } = watchProcessor()
  const work = 'while (process.cpuUsage().user < 400_000);'
  spawnSync('sh', ['-c', `"$0" -e "${work}"; true`, process.execPath])
  expect(spent()).toBeGreaterThanOrEqual(0.4)
  spawnSync('sleep', ['0.5'])
  expect(spent()).toBeLessThan(0.4)
  expect(all()).toBeGreaterThanOrEqual(0.4)
})
