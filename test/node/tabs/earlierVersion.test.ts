// A tab with the version of before, still open beside one of now: it has names of its own for a session, and writes no record.
import { expect, it } from 'vitest'
import { sessionMarkerKey, sessionRecordKey, tabsName } from '../../../src/protocol/storageKeys.ts'
import { internalsOf } from '../../../src/session/internals.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'
import { APP, CLIENT, comeBackFromLogout } from '../session/sessionScene.ts'
import { createTabWorld, openTab, startTab, type World } from './tabsScene.ts'

type Message = Record<string, unknown>

/** What the tab of before says, and hears. */
function openEarlier({ browser }: World) {
  const heard: Message[] = []
  const channel = createFakeHost(APP, { browser }).platform.tabs().openChannel!(tabsName(CLIENT), (message) =>
    heard.push(message as Message),
  )
  return { heard, post: channel.post }
}
const recordOf = ({ browser }: World) =>
  JSON.parse(browser.localStorage.get(sessionRecordKey(CLIENT)) ?? '{}') as { id: string; user?: string }

it('is asked for its hook, and ends with a logout here, by its own name for the session', async () => {
  const world = createTabWorld()
  const tab = await startTab(world)
  const { heard, post } = openEarlier(world)
  // It counts as a tab of the session, as each does.
  world.browser.localStorage.set(sessionMarkerKey(CLIENT), '{"tabs":["before"],"user":"17egzr0speq8j"}')
  void tab.auth.logout()
  await tab.host.settle()
  const { ending, session } = heard.find(({ type }) => type === 'prepare')!
  // None named: it is asked for every session that it holds.
  expect(session).toBeUndefined()
  post({ type: 'preparing', ending, by: 'before', session: 'hznjc95l33ne', isReady: true })
  await world.browser.clock.advance(1_000)
  const ended = heard.find(({ type }) => type === 'ended')
  expect(ended).toMatchObject({
    reason: 'signed-out',
    sessions: expect.arrayContaining(['hznjc95l33ne']) as string[],
  })
})

it('ends the session of this one, and of a page that is not on the screen, by the name that it was handed', async () => {
  const world = createTabWorld()
  const away = openTab(world)
  const letGo = internalsOf(away.auth).hold()
  await world.browser.clock.advance(1_000)
  const tab = await startTab(world)
  letGo()
  await world.browser.clock.advance(10)
  const { id } = recordOf(world)
  openEarlier(world).post({ type: 'ended', reason: 'signed-out', sessions: [id] })
  await world.browser.clock.advance(1_000)
  expect(tab.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
  expect(recordOf(world).id).not.toBe(id)
  internalsOf(away.auth).hold()
  expect(away.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
})

it('ends no session that began after the one it means', async () => {
  const world = createTabWorld()
  const tab = await startTab(world)
  openEarlier(world).post({ type: 'ended', reason: 'signed-out', sessions: ['hznjc95l33ne'] })
  await world.browser.clock.advance(1_000)
  expect(tab.auth.getState().status).toBe('authenticated')
})

it('has left a list of ended sessions and a marker: start-up reads past them', async () => {
  const world = createTabWorld()
  const { localStorage } = world.browser
  localStorage.set('latchkey https://auth.test admin ended', '["hznjc95l33ne"]')
  localStorage.set(sessionMarkerKey(CLIENT), '{"tabs":[],"user":"17egzr0speq8j"}')
  const tab = await startTab(world)
  expect(tab.auth.getState().status).toBe('authenticated')
  void tab.auth.logout()
  await world.browser.clock.advance(1_000)
  const back = await comeBackFromLogout({ host: tab.host, server: world.server })
  back.close()
  expect(recordOf(world).user).toBeUndefined()
})

it.each(['', 'null', '[]', '{"id":7}', '{"id":""}', `{"id":"${'x'.repeat(65)}"}`, 'x'.repeat(100_000)])(
  'or another script, has left %j for a record: it counts as none',
  async (text) => {
    const world = createTabWorld()
    world.browser.localStorage.set(sessionRecordKey(CLIENT), text)
    const tab = await startTab(world)
    expect(tab.auth.getState().status).toBe('authenticated')
    expect(recordOf(world)).toMatchObject({ user: expect.any(String) as string })
  },
)
