// Promises of the test command's word about memory: what its children, and theirs, hold at most.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { watchMemory } from '../../../scripts/peakMemory.ts'

const MEGABYTE = 1024 * 1024

it.runIf(process.platform === 'linux')(
  'counts what a child of a child holds, and keeps it when it is gone',
  async () => {
    const memory = watchMemory()
    const before = memory.bytes() ?? 0
    expect(before).toBeGreaterThan(10 * MEGABYTE)
    const hold = `globalThis.held = Buffer.alloc(${300 * MEGABYTE}, 1); console.log('held'); setInterval(() => {}, 1000)`
    const child = spawn('sh', ['-c', `exec 3>&1; "$0" -e "${hold}" & wait`, process.execPath], {
      detached: true,
    })
    await once(child.stdout, 'data')
    memory.look()
    process.kill(-child.pid!, 'SIGKILL')
    await once(child, 'close')
    memory.look()
    memory.stop()
    expect((memory.bytes() ?? 0) - before).toBeGreaterThan(200 * MEGABYTE)
  },
)
