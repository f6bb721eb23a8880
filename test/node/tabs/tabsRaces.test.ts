// What tabs do when two things happen to them in the same task (F34, F35).
import { expect, it } from 'vitest'
import { grantedAs, openTab, renew } from './oneTab.ts'

const renewed = { type: 'renewed', generation: 1, by: 'there' }

it('a token that another tab hands over while this one prepares its renewal is not renewed once more', async () => {
  const { promise: waiting, resolve: release } = Promise.withResolvers<void>()
  const tab = openTab({
    port: {
      update: async (_key, change) => {
        await waiting
        return change({ generation: 1, isPending: false })
      },
    },
  })
  const { done, asked, holds } = renew(tab)
  await tab.hears(renewed)
  await tab.offers(grantedAs('theirs'), 1)
  expect(tab.adopted).toHaveLength(1)

  release()
  await done
  expect([asked, holds]).toEqual([[], []])
})

it('a tab that was asked by name is waited for, whatever the others say', async () => {
  const tab = openTab({ count: 1 })
  await tab.hears(renewed)
  await tab.hears({ ...tab.of('ask')[0], type: 'none' })
  await tab.offers(grantedAs('theirs'), 1)
  expect(tab.adopted).toHaveLength(1)
})
