// The record that the tabs of one browser agree on, in a store that answers late.
import { expect, it } from 'vitest'
import { parseConfig } from '../../../src/protocol/config.ts'
import type { Block } from '../../../src/protocol/tabMessages.ts'
import { createAgreement } from '../../../src/session/tabs/renewOnce.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'
import { CONFIG } from '../session/sessionScene.ts'

it('a store that answered too late is asked again, and the rate limits that it told then hold', async () => {
  const { platform, clock } = createFakeHost('https://app.test/')
  const adopted: Block[] = []
  let delayMs = 1500
  const stored = { generation: 3, isPending: false, blocks: [['/oauth/token', clock.nowMs + 60_000, 503]] }
  const limits = { adopt: (block: Block) => adopted.push(block) }
  const context = { settings: parseConfig(CONFIG), platform, limits }
  const agree = createAgreement(context as never, async (_name, change) => {
    await new Promise<void>((resolve) => platform.setTimer(resolve, delayMs))
    return change(stored)
  })
  const first = agree((before) => before)
  await clock.advance(1000)
  expect(await first).toBeUndefined()
  await clock.advance(500)
  expect(adopted).toEqual([['/oauth/token', 58_500, 503]])
  delayMs = 10
  const second = agree((before) => before)
  await clock.advance(10)
  expect(await second).toMatchObject({ generation: 3 })
})
