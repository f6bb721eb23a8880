// Two servers, or two clients, share nothing in a browser; two auth objects of one client are one session.
import type { AuthConfig } from '../../../src/protocol/config.ts'
import { describe, expect, it } from 'vitest'
import { agentKey, connectionName } from '../../../src/protocol/presence.ts'
import * as names from '../../../src/protocol/storageKeys.ts'
import { INIT_MARK } from '../../../src/protocol/passthrough.ts'
import { createAuth } from '../../../src/session/createAuth.ts'
import { createFakeAuthServer, createFakeUser } from '../../../src/testing/authServer.ts'
import { createFakeBrowser } from '../../../src/testing/fakeBrowser.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'
import { APP, CONFIG, createScene } from '../session/sessionScene.ts'

const client = (authHost: string, clientId: string): names.Client => ({ authHost, clientId })

/** Every name that a client has in a browser. */
const namesOf = (one: names.Client) => [
  names.tabKey(one),
  names.metadataKey(one),
  names.stepsKey(one),
  names.sessionMarkerKey(one),
  names.sessionRecordKey(one),
  names.pendingLogoutKey(one),
  names.unansweredKey(one),
  names.activityKey(one),
  agentKey(one),
  names.tabsName(one),
  names.alikeTabsName({ ...one, asked: 'admin  openid' }),
  names.codeLock(one, 'AbCdEf'),
  names.endLock(one, 's1'),
  connectionName(one, { userId: 'alice', firmId: 'f1', presenceId: '1:nil:agent' }),
  names.popupName(one, 'link', 'AbCdEf'),
  names.signInPopup(one, 'AbCdEf'),
]

describe('the names of what lies in the browser', () => {
  it('and the words for a logout that is settled or asked for: other versions of the app read them', () => {
    expect([names.SETTLED_LOGOUT, names.ASKED_LOGOUT]).toEqual(['settled', 'asked'])
  })

  it('and the mark of a token that was tried: it is not tried again after an update of the app', () => {
    expect(INIT_MARK).toBe('passthrough initToken')
  })

  it('stay what they are: an old tab, a new one and the first script share them', () => {
    expect(namesOf(client('https://auth.test', 'admin'))).toEqual([
      'latchkey https://auth.test admin tab',
      'latchkey https://auth.test admin metadata',
      'latchkey https://auth.test admin steps',
      'latchkey https://auth.test admin session',
      'latchkey https://auth.test admin record',
      'latchkey https://auth.test admin owedLogout',
      'latchkey https://auth.test admin unanswered',
      'latchkey https://auth.test admin activity',
      'latchkey https://auth.test admin agent',
      'latchkey https://auth.test admin tabs',
      'latchkey https://auth.test admin tabs admin%20%20openid',
      'latchkey https://auth.test admin code AbCdEf',
      'latchkey https://auth.test admin end s1',
      'latchkey https://auth.test admin connection alice f1 1:nil:agent',
      'latchkey https://auth.test admin AbCdEf popup link',
      'latchkey https://auth.test admin AbCdEf popup sign-in',
    ])
  })

  it.each([
    ['two servers', client('https://one.test', 'admin'), client('https://two.test', 'admin')],
    ['two ports', client('https://one.test', 'admin'), client('https://one.test:8443', 'admin')],
    ['two clients', client('https://one.test', 'admin'), client('https://one.test', 'shop')],
    [
      'a client named like an entry',
      client('https://one.test', 'a'),
      client('https://one.test', 'a session'),
    ],
    ['a colon', client('https://one.test', 'a'), client('https://one.test', 'a:session')],
    ['a client named like a port', client('https://one.test', '8443'), client('https://one.test:8443', '')],
    ['an escaped space', client('https://one.test', 'a b'), client('https://one.test', 'a%20b')],
    ['an escaped percent', client('https://one.test', 'a%20b'), client('https://one.test', 'a%2520b')],
  ])('are different for %s', (_what, one, other) => {
    const all = [...namesOf(one), ...namesOf(other)]
    expect(new Set(all).size).toBe(all.length)
  })

  it.each([
    ['ids with spaces', { userId: 'a b', firmId: 'c' }, { userId: 'a', firmId: 'b c' }],
    ['text that is no Unicode', { userId: '\ud800' }, { userId: '\ud801' }],
    ['two firms', { firmId: '7' }, { firmId: '8' }],
    ['a firm and none', { firmId: '7' }, { firmId: undefined }],
    ['two devices', { presenceId: '3:one:agent' }, { presenceId: '3:two:agent' }],
  ])('of a connection are different for %s', (_what, one, other) => {
    const at = client('https://one.test', 'admin')
    const nameOf = (some: object) => connectionName(at, { userId: '42', presenceId: '1:nil:agent', ...some })
    expect(nameOf(one)).not.toBe(nameOf(other))
  })
})

describe('two auth objects on one page', () => {
  /** Each with a server of its own at `authHosts`; both are signed in. */
  async function openPage(authHosts: readonly string[]) {
    const browser = createFakeBrowser()
    const servers = [...new Set(authHosts)].map((authHost) =>
      createFakeAuthServer({ authHost, user: createFakeUser(), now: () => browser.clock.nowMs }),
    )
    const serverOf = (url: string) => servers.find(({ authHost }) => url.startsWith(authHost))!
    const host = createFakeHost(APP, {
      browser,
      fetch: (input, init) => serverOf(input as string).fetch(input, init),
      onFrame: (frame) => queueMicrotask(() => serverOf(frame.url).answerFrame(frame)),
    })
    const auths = authHosts.map((authHost) =>
      createAuth({ ...CONFIG, authHost, autoLogin: false } as AuthConfig, { platform: host.platform }),
    )
    for (const auth of auths) {
      void auth.start()
      await host.clock.advance(1_000)
    }
    const statuses = () => auths.map((auth) => auth.getState().status)
    expect(statuses()).toEqual(['authenticated', 'authenticated'])
    return { browser, host, auths, servers, statuses }
  }

  it('with one clientId at two servers: signing out of one leaves the other signed in', async () => {
    const { host, auths, statuses } = await openPage(['https://one.test', 'https://two.test'])
    void auths[0]!.logout()
    await host.settle()
    host.setVisible(false)
    host.setVisible(true)
    await host.settle()
    expect(statuses()).toEqual(['redirecting', 'authenticated'])
  })

  it('with one clientId at two servers: each remembers by itself that it had a session', async () => {
    const { browser, auths, host } = await openPage(['https://one.test', 'https://two.test'])
    void auths[0]!.logout()
    await host.settle()
    const keys = Object.keys(browser.localStorage.entries())
    expect(keys).not.toContain('latchkey https://one.test admin session')
    expect(keys).not.toContain('latchkey https://one.test admin activity')
    expect(keys).toContain('latchkey https://two.test admin session')
    expect(keys).toContain('latchkey https://two.test admin activity')
  })

  it('with one clientId at two servers: a frame that one cannot have is still tried by the other', async () => {
    const scene = createScene({
      isFrameMute: true,
      config: { authHost: 'https://one.test', autoLogin: false },
    })
    void scene.auth.start()
    await scene.host.settle()
    scene.host.frames[0]?.csp()
    await scene.host.settle()
    const other = createAuth({ ...CONFIG, authHost: 'https://two.test', autoLogin: false } as AuthConfig, {
      platform: scene.host.platform,
    })
    void other.start()
    await scene.host.settle()
    expect(scene.host.frames.map(({ url }) => new URL(url).origin)).toEqual(['https://two.test'])
  })

  it('of one client are one session: one sign-in, one renewal, one end', async () => {
    const { host, auths, servers, statuses } = await openPage(['https://one.test', 'https://one.test'])
    expect(servers[0]!.tokenRequests).toHaveLength(1)
    void Promise.all(auths.map((auth) => auth.renew({ force: true })))
    await host.clock.advance(1_000)
    expect(servers[0]!.tokenRequests.map(({ grantType }) => grantType)).toEqual([
      'authorization_code',
      'refresh_token',
    ])
    const [first, second] = await Promise.all(auths.map((auth) => auth.getAccessToken()))
    expect(first).toBe(second)
    void auths[0]!.logout()
    await host.settle()
    expect(statuses()).toEqual(['redirecting', 'unauthenticated'])
  })
})
