// Everything that can happen to a whole session, one command each.
import { RENEW_MARGIN_MS } from '../../../src/base/sessionConstants.ts'
import { internalsOf } from '../../../src/session/internals.ts'
import { stepUpRequired } from '../../../src/base/stepUpErrors.ts'
import { APP, CLIENT } from '../session/sessionScene.ts'
import { SERVER_FAULTS } from './wholeSessionNetwork.ts'
import { type Browser, CHALLENGING, type FrameMode, type Tab, type World } from './wholeSessionWorld.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const PASSES = [
  3,
  10,
  25,
  50,
  200,
  1000,
  3000,
  10_000,
  30_000,
  MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  31 * MINUTE,
  HOUR,
]
const SLEEPS = [5000, 20_000, MINUTE, 10 * MINUTE, 25 * MINUTE, 40 * MINUTE, 9 * HOUR]
const LATENCIES = [0, 0, 20, 300, 4000, 14_000]
const FRAME_MODES: readonly FrameMode[] = ['answered', 'answered', 'mute', 'refused']
const LARGEST_TAB_COUNT = 4
/** Breaths after which a task is over that waits for no timer and no other thread. */
const LONGEST_TASK = 100

export const NAMES = [
  'open',
  'duplicate',
  'close',
  'reload',
  'login',
  'logout',
  'renew',
  'token',
  'stop renewal',
  'come back',
  'pass',
  'sleep',
  'nothing heard of a sleep',
  'offline',
  'online',
  'look',
  'restore',
  'work',
  'server',
  'server is well',
  'latency',
  'frames',
  'server ends session',
  'another session',
  'another user',
  'revoke tokens',
  'clear storage',
  'cut connection',
  'restore connection',
  'dispose',
  'start',
  'unmount',
  'mount',
  'mount twice',
  'in the middle of a renewal',
  'sign in in a window',
  'step up',
  'window answers',
  'other scopes',
  'DPoP on or off',
  'into the cache',
  'out of the cache',
  'claims challenge',
  'switch',
] as const
export type CommandName = (typeof NAMES)[number]

/** What the draw says about one command; `value` picks among its variants. */
export interface Command {
  readonly name: CommandName
  readonly tab: number
  readonly value: number
  /** Breaths before the next command; 0: it comes in the same one; 'rest': when all is quiet. */
  readonly pause: number | 'rest'
}

const pick = <Item>(items: readonly Item[], value: number): Item => items[value % items.length]!

type Action = (world: World, tab: Tab, value: number) => unknown

/** The browser comes back from where it was sent, in one of the ways it can. */
export function comeBack(world: World, tab: Tab, value = 0): void {
  const { host, browser } = tab
  const url = host.navigations.at(-1)
  if (url === undefined || host.navigations.length === tab.followedCount) return
  tab.followedCount = host.navigations.length
  browser.isSignedOut = false
  const { pathname, searchParams } = new URL(url)
  const way = pick(['done', 'done', 'done', 'done', 'denied', 'error', 'back', 'anew'] as const, value)
  if (way === 'back') return restore(tab)
  if (way === 'anew') return world.load(tab, APP)
  if (pathname === '/oauth/logout') {
    browser.server.user = undefined
    // The user has clicked, and the server has sent them back: the redirects before it led somewhere.
    tab.automatic = []
    const back = new URL(searchParams.get('post_logout_redirect_uri')!)
    back.searchParams.set('state', searchParams.get('state')!)
    return world.load(tab, back.href)
  }
  if (way === 'done' && browser.server.user === undefined) world.beginSession(browser)
  const error = { done: undefined, denied: 'access_denied', error: 'server_error' }[way]
  world.load(tab, callbackOf(browser, url, error))
}

/** Where the sign-in page sends the browser back to. */
function callbackOf({ server, codes }: Browser, url: string, error: string | undefined): string {
  const back = server.callbackOf(url, error)
  codes.add(new URL(back).searchParams.get('code'))
  return back
}

/** Out of the back/forward cache. */
function restore(tab: Tab): void {
  intoCache(tab)
  outOfCache(tab)
}

/** The user has gone on to another page. A page that holds a lock is not kept. */
function intoCache(tab: Tab): void {
  const { host, away } = tab
  if (away.is || host.counts().locks > 0) return
  host.setVisible(false)
  host.emit('pagehide')
  away.go()
  tab.wasRunning = tab.isRunning
  tab.isRunning = false
}

export function outOfCache(tab: Tab): void {
  const { host, away } = tab
  if (!away.is) return
  tab.isRunning = tab.wasRunning
  away.back(() => {
    host.setVisible(true)
    host.emit('restored')
    host.emit('pageshow')
  })
}

export function setOnline(browser: Browser, isOnline: boolean): void {
  browser.isOnline = isOnline
  for (const { host } of browser.tabs) if (host.platform.isOnline() !== isOnline) host.setOnline(isOnline)
}

/** An operation of the public face; how it may fail is not the point here. */
const attempt = (work: () => Promise<unknown>) => void work().catch(() => {})

/** What is handed out is of the user who is shown, and lives. */
async function takeToken({ faults }: World, { auth, browser }: Tab): Promise<void> {
  const token = await auth.getAccessToken()
  const grant = browser.book.byToken.get(token)
  const state = auth.getState()
  if (!grant) return void faults.push('a token that nobody gave')
  if (state.status === 'authenticated' && state.user.userId !== grant.userId)
    faults.push(`a token of ${grant.userId} for ${state.user.userId}`)
  const lateMs = browser.elapsedMs() - grant.expiresAtMs
  // A sleep shorter than the margin cannot be told from a clock that was set.
  if (lateMs >= (browser.hasSlept ? RENEW_MARGIN_MS : 0)) faults.push(`a token ${lateMs} ms after its end`)
}

/** Who signs out while a window is open, or while its answer is on its way, is not signed in by it. */
async function inWindow({ faults }: World, tab: Tab, work: () => Promise<void>): Promise<void> {
  const { auth, signOutCount } = tab
  await work()
  if (tab.auth === auth && tab.signOutCount > signOutCount)
    faults.push('a window signed somebody in over a logout')
}

/**
 * Between two tasks of the pages. A token that was handed out in time may be too old when the app reads it, if the machine
 * sleeps between the two: nobody can promise anything about that.
 */
async function fallAsleep(world: World, value: number): Promise<void> {
  for (let left = LONGEST_TASK; left > 0; left -= 1) await Promise.resolve()
  world.sleep(pick(SLEEPS, value))
}

const ACTIONS: Readonly<Record<CommandName, Action>> = {
  open: (world, { browser }) => browser.tabs.length < LARGEST_TAB_COUNT && world.open(browser),
  duplicate: (world, tab) =>
    tab.browser.tabs.length < LARGEST_TAB_COUNT && world.open(tab.browser, tab.host.address, tab),
  close: (world, tab, value) => tab.browser.tabs.length > 1 && world.close(tab, value % 3 === 0),
  reload: (world, tab) => world.load(tab, tab.host.address),
  login: (_world, tab) => {
    tab.isClicked = true
    attempt(() => tab.auth.login())
  },
  logout: (_world, { auth }) => attempt(() => auth.logout()),
  renew: (_world, { auth }, value) => attempt(() => auth.renew({ force: value % 3 > 0 })),
  token: (world, tab) => attempt(() => takeToken(world, tab)),
  'stop renewal': (_world, { auth }) => attempt(async () => auth.stopRenewal()),
  'come back': (world, tab, value) => comeBack(world, tab, value),
  pass: (world, _tab, value) => world.pass(pick(PASSES, value)),
  sleep: async (world, _tab, value) => {
    await fallAsleep(world, value)
    for (const { tabs } of world.browsers) for (const { host } of tabs) host.emit('resume')
  },
  'nothing heard of a sleep': (world, _tab, value) => fallAsleep(world, value),
  offline: (_world, { browser }) => setOnline(browser, false),
  online: (_world, { browser }) => setOnline(browser, true),
  look: (_world, { host }) => {
    host.setVisible(false)
    host.setVisible(true)
    host.emit('focus')
  },
  restore: (_world, tab) => restore(tab),
  work: (_world, { host }) => host.emit('activity'),
  server: (_world, { browser }, value) => {
    browser.fault = pick(SERVER_FAULTS, value)
  },
  'server is well': (_world, { browser }) => {
    browser.fault = 'none'
  },
  latency: (_world, { browser }, value) => {
    browser.latencyMs = pick(LATENCIES, value)
  },
  frames: (_world, { browser }, value) => {
    browser.frames = pick(FRAME_MODES, value)
  },
  'server ends session': ({ hub }, { browser, auth }, value) => {
    browser.server.user = undefined
    if (value % 2 > 0) browser.server.revokeAll()
    const state = auth.getState()
    if (value % 3 > 0 || state.status !== 'authenticated') return
    const { userId, sessionId } = state.user
    const { authHost, clientId } = CLIENT
    const body = { authHost, clientId, sessionId, agentId: 'server', impersonatorId: '', logout: true }
    hub.publish(`auth-session-${userId}`, body, 'server')
  },
  'another session': (world, { browser }) => world.beginSession(browser),
  'another user': (world, { browser }, value) => {
    world.beginSession(browser, pick(['bob', 'alice', 'bob'], value))
    if (value % 2 > 0) browser.server.revokeAll()
  },
  'revoke tokens': (_world, { browser }) => browser.server.revokeAll(),
  'clear storage': (_world, tab, value) => {
    const { browser, host } = tab
    if (value % 2 > 0) {
      browser.isCleared = true
      browser.isSignedOut = false
      browser.inside.localStorage.clear()
    } else {
      tab.automatic = []
      host.sessionStorage.clear()
    }
  },
  'cut connection': ({ hub }) => hub.cut(),
  'restore connection': ({ hub }) => hub.restore(),
  dispose: (_world, tab) => {
    tab.auth.dispose()
    tab.isRunning = false
  },
  start: (_world, tab) => {
    tab.isRunning = true
    void tab.auth.start()
  },
  // Its provider goes from the screen, or is hidden: the page hears nothing, and what it shows is looked at when it is back.
  unmount: (_world, tab) => {
    if (!tab.letGo) return
    tab.letGo()
    tab.letGo = undefined
    tab.isRunning = false
  },
  mount: (_world, tab) => {
    if (tab.letGo) return
    tab.letGo = internalsOf(tab.auth).hold()
    tab.isRunning = true
  },
  'mount twice': (_world, tab) => {
    tab.auth.dispose()
    tab.isRunning = true
    void tab.auth.start()
  },
  'in the middle of a renewal': async (world, tab, value) => {
    const { auth, browser } = tab
    const { latencyMs } = browser
    browser.latencyMs = 300
    attempt(() => auth.renew({ force: true }))
    await world.pass(100)
    browser.latencyMs = latencyMs
    const next = pick(['close', 'mount twice', 'logout', 'dispose', 'reload', 'another user'] as const, value)
    return act(next, world, tab, value)
  },
  'sign in in a window': (world, tab, value) =>
    attempt(() =>
      inWindow(world, tab, () =>
        tab.auth.login({ display: 'popup', ...(value % 2 > 0 && { prompt: 'login' }) }),
      ),
    ),
  'step up': (world, tab, value) => {
    const display = value % 3 > 0 ? 'popup' : 'page'
    tab.isClicked ||= display === 'page'
    const { auth } = tab
    const stepUp = async () => auth.stepUp(stepUpRequired({ acrValues: ['gold'] }), { display })
    attempt(async () => {
      if (display === 'page') return stepUp()
      await inWindow(world, tab, stepUp)
      const state = auth.getState()
      if (tab.auth !== auth || state.status !== 'authenticated') return
      tab.strong = tab.browser.book.byId.get(state.user.jti ?? '')?.family
    })
  },
  'window answers': answerWindow,
  // A deployment asks for one more: this tab runs it, others may not yet.
  'other scopes': (world, tab) => {
    tab.hasMoreScopes = !tab.hasMoreScopes
    world.load(tab, tab.host.address)
  },
  // A deployment turns it on, or off again: this tab runs it, others may not yet.
  'DPoP on or off': (world, tab) => {
    tab.browser.takesBoth = true
    tab.hasDpop = !tab.hasDpop
    world.load(tab, tab.host.address)
  },
  'into the cache': (_world, tab) => intoCache(tab),
  'out of the cache': (_world, tab) => outOfCache(tab),
  'claims challenge': (world, { auth }) => {
    world.challengeCount += 1
    attempt(() => auth.fetch(`${CHALLENGING}${world.challengeCount}`))
  },
  switch: (_world, { auth, browser: { server } }, value) => {
    if (!server.user) return
    const firm = pick(['f2', 'f1', 'f3'], value)
    server.user = { ...server.user, claims: { ...server.user.claims, firmId: firm } }
    attempt(() => auth.switchTo({ parameters: { firm }, display: value % 2 ? 'silent' : undefined }))
  },
}

/** What can happen while the page of a tab lies in the cache: another one is shown, or the tab is closed. */
const OF_A_PAGE: readonly CommandName[] = [
  'duplicate',
  'login',
  'logout',
  'renew',
  'token',
  'stop renewal',
  'come back',
  'look',
  'restore',
  'work',
  'dispose',
  'start',
  'unmount',
  'mount',
  'mount twice',
  'in the middle of a renewal',
  'sign in in a window',
  'step up',
  'window answers',
  'claims challenge',
  'switch',
]

/** The user is done in the window, turns back, closes it, or its page says the answer twice. */
function answerWindow(world: World, { host, browser }: Tab, value: number): void {
  const popup = host.popups.at(-1)
  const url = popup?.urls.at(-1)
  if (!popup || !url?.includes('/oauth/authorize')) return
  const way = pick(['done', 'done', 'done', 'twice', 'denied', 'closed', 'another user'] as const, value)
  if (way === 'another user') world.beginSession(browser, 'bob')
  else if (way !== 'closed' && browser.server.user === undefined) world.beginSession(browser)
  browser.isSignedOut = false
  const error = way === 'denied' ? 'access_denied' : undefined
  const message = { type: 'signInAnswer', address: callbackOf(browser, url, error) }
  if (way !== 'closed') popup.post(message)
  if (way === 'twice') popup.post(message)
  popup.close()
}

function act(name: CommandName, world: World, tab: Tab, value: number): unknown {
  return ACTIONS[name](world, tab, value)
}

export function perform(world: World, { name, tab: index, value }: Command): unknown {
  const tabs = world.browsers.flatMap((browser) => browser.tabs)
  const tab = pick(tabs, index)
  if (tab.away.is && OF_A_PAGE.includes(name)) return undefined
  return act(name, world, tab, value)
}
