// The record that the tabs of one browser agree on, in a store that answers late.
import { expect, it } from 'vitest'
import { parseConfig } from '../../../src/protocol/config.ts'
import { createAgreement } from '../../../src/session/tabs/renewOnce.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'
import { CONFIG } from '../session/sessionScene.ts'

it('a store that answered too late is asked again', async () => {
  const { platform, clock } = createFakeHost('https://app.test/')
  let delayMs = 1500
  const stored = { generation: 3, isPending: false }
  const context = { settings: parseConfig(CONFIG), platform }
  const agree = createAgreement(context, async (_name, change) => {
    await new Promise<void>((resolve) => platform.setTimer(resolve, delayMs))
    return change(stored)
  })
  const first = agree((before) => before)
  await clock.advance(1000)
  expect(await first).toBeUndefined()
  await clock.advance(500)
  delayMs = 10
  const second = agree((before) => before)
  await clock.advance(10)
  expect(await second).toMatchObject({ generation: 3 })
})
