// Every factory before start-up has ended: it fails with the exact text before any request, or waits.
import { type MutationOptions, QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import * as latchkey from '../../../src/index.ts'
import * as tanstackQuery from '../../../src/tanstack-query/index.ts'
import type { Auth } from '../../../src/session/auth.ts'
import { createScene } from '../session/sessionScene.ts'

const NOT_YET = { code: 'not-initialised', message: 'Not init yet' }
/** It reads a file that is the same for everybody. */
const WAITS = 'redirectionConfigQuery'
const VARIABLES: Readonly<Record<string, unknown>> = {
  authorizeSupportMutation: { requestCode: '123456', duration: 5 },
  exchangeAssertionMutation: { assertion: 'jti-1' },
  passthroughMutation: { redirect: '/' },
  saveLinkMapMutation: [],
  stepUpMutation: { error: latchkey.ENGLISH },
  switchToMutation: { firmId: 'f2' },
  updateFirmMutation: { id: 'f1', cloudProviderId: 'c1' },
}

type Factory = (auth: Auth) => MutationOptions<unknown, Error, unknown> & { queryKey: readonly unknown[] }
const factories = Object.entries({ ...latchkey, ...tanstackQuery }).filter(
  ([name]) => /(Query|Mutation)$/.test(name) && !name.startsWith('should'),
) as unknown as readonly (readonly [string, Factory])[]
const named = (kind: RegExp) => factories.filter(([name]) => kind.test(name))

function open() {
  const scene = createScene({
    isFrameMute: true,
    config: { redirectionsUrl: 'https://cdn.firm.test/redirections.json' },
  })
  return { ...scene, client: new QueryClient() }
}

it.each(named(/Query$/).filter(([name]) => name !== WAITS))('%s fails', async (_name, factory) => {
  const { auth, client, host } = open()
  await expect(client.query({ ...factory(auth), retry: false })).rejects.toMatchObject(NOT_YET)
  expect(host.requests).toEqual([])
})

it.each(named(/Mutation$/))('%s fails, and no window opens', async (name, factory) => {
  const { auth, client, host } = open()
  const running = client.getMutationCache().build(client, factory(auth))
  await expect(running.execute(VARIABLES[name])).rejects.toMatchObject(NOT_YET)
  expect([host.requests, host.popups, host.navigations]).toEqual([[], [], []])
})

it(`${WAITS} waits`, async () => {
  const { auth, client, host } = open()
  let isOver = false
  const end = () => {
    isOver = true
  }
  client.query(latchkey.redirectionConfigQuery(auth)).then(end, end)
  void auth.start()
  await host.settle()
  expect([isOver, host.requests]).toEqual([false, []])
})
