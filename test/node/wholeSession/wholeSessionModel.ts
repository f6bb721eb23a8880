// What must be true of a whole session whatever happens to it, told from the outside: states, tokens, storage, words between tabs.
import {
  HOOK_TIMEOUT_MS,
  LARGEST_NAVIGATION_COUNT,
  NAVIGATION_WINDOW_MS,
} from '../../../src/base/sessionConstants.ts'
import type { AuthState } from '../../../src/session/state.ts'
import { comeBack, outOfCache, setOnline } from './wholeSessionCommands.ts'
import type { Browser, Tab, World } from './wholeSessionWorld.ts'

/** From one state of a page to the next; a user may not become another one without a word. */
const LEGAL: Readonly<Record<string, readonly string[]>> = {
  initializing: ['authenticated', 'unauthenticated', 'redirecting', 'failed'],
  authenticated: ['unauthenticated', 'redirecting', 'initializing'],
  unauthenticated: ['authenticated', 'redirecting', 'initializing', 'failed'],
  redirecting: ['authenticated', 'unauthenticated', 'initializing', 'failed'],
  // Signed in without a retry by what comes late: a page part that was taken away had asked for it, before another failed.
  failed: ['initializing', 'redirecting', 'unauthenticated', 'authenticated'],
}
const EXPECTED_WARNINGS = [
  /^The \w+ hook failed$/,
  /^Other tabs are out of reach$/,
  /^Real time is not available$/,
]

const kindOf = (state: string) => state.replace(/ .*/, '')

/** Whether the tabs of a browser can hand their session to each other. */
export const isLinked = ({ without }: World['setting']) =>
  !without.some((part) => part === 'channels' || part === 'seal' || part === 'locks')

/** Everything that is wrong now, in sentences; empty when nothing is. */
export function faultsOf(world: World): string[] {
  const now = world.browsers.flatMap((browser) => [
    ...faultsOfBook(world, browser),
    ...faultsOfStorage(world, browser),
    ...browser.tabs.flatMap((tab, index) =>
      faultsOfTab(world, browser, tab).map((fault) => `browser ${browser.id}, tab ${index}: ${fault}`),
    ),
  ])
  return [...world.faults, ...now]
}

function faultsOfTab({ setting }: World, browser: Browser, tab: Tab): string[] {
  const { book, elapsedMs } = browser
  const { auth, host, states, automatic, isRunning } = tab
  const faults: string[] = []
  const state = auth.getState()
  for (const [index, from] of states.slice(0, -1).entries()) {
    const to = states[index + 1]!
    if (!LEGAL[kindOf(from)]!.includes(kindOf(to))) faults.push(`went from ${from} to ${to}`)
  }
  if (state.status === 'authenticated') {
    const { jti = '', userId, sessionId } = state.user
    const grant = book.byId.get(jti)
    if (!grant) faults.push(`is signed in with a token that nobody gave: ${jti}`)
    else if (grant.userId !== userId || grant.sessionId !== sessionId)
      faults.push(`shows ${userId} ${sessionId}, its token is of ${grant.userId} ${grant.sessionId}`)
    // What comes too late for a page part that is gone counts, and nobody sees it. The word from tab to tab takes its time.
    else if (isRunning && elapsedMs() - (grant.family.endedAtMs ?? Infinity) >= longestEndMs(setting))
      faults.push(`is signed in with ${jti} of before the logout`)
    if (grant) faults.push(...faultsOfGrant(setting, browser, tab, jti))
  }
  for (const { message, cause } of host.warnings) {
    if (!EXPECTED_WARNINGS.some((expected) => expected.test(message)))
      faults.push(`warned: ${message} ${String(cause)}`)
  }
  const isClash = state.status === 'unauthenticated' && state.reason === 'session-clash'
  if (isClash && !mayClash(setting)) faults.push('ended by a clash that could not be')
  const recent = automatic.filter((atMs) => elapsedMs() - atMs < NAVIGATION_WINDOW_MS)
  if (recent.length > LARGEST_NAVIGATION_COUNT)
    faults.push(`left by itself ${recent.length} times in a minute`)
  return faults
}

/** Whether the tokens that a page holds are such as it asks for, and as strong as they were. */
function faultsOfGrant(
  { without }: World['setting'],
  { book, boundIds }: Browser,
  { hasMoreScopes, hasDpop, strong }: Tab,
  id: string,
): string[] {
  const { family } = book.byId.get(id)!
  const isOther = (family.hasMoreScopes ?? hasMoreScopes) !== hasMoreScopes
  // Where something is missing, who renews may not hear of it in time.
  const isWeaker = strong !== undefined && family.order < strong.order && without.length === 0
  return [
    ...(isOther ? [`holds ${id}, which was asked for with other scopes`] : []),
    ...(boundIds.has(id) && !hasDpop ? [`holds ${id}, which is bound to a key of other tabs`] : []),
    ...(isWeaker ? [`is back at ${id}, of before its step-up`] : []),
  ]
}

/**
 * How long after the logout another tab may still be signed in. Where the page that began the logout was gone before the
 * hooks had ended, its next one goes to the logout page at once, and every other tab still waits for its own hook.
 */
const longestEndMs = ({ channelMs, hooks }: World['setting']) =>
  channelMs * 4 + (hooks === 'never end' ? HOOK_TIMEOUT_MS : 0)

/** Whether a sign-in in another browser may end a session. */
const mayClash = ({ browserCount, hasRealtime, config, onClash }: World['setting']) =>
  browserCount > 1 &&
  hasRealtime &&
  config.uniqueSession !== false &&
  ['no hook', 'logs out', 'logs in'].includes(onClash)

/** The newest sign-in of a user stays, and no other. */
function faultsOfUnique({ setting, browsers }: World): string[] {
  // A page that went to the sign-in page may be brought back as it was: the user has been asked.
  if (!mayClash(setting) || setting.onClash === 'logs in') return []
  const shown = browsers.map(({ tabs }) => {
    const states = tabs.filter(({ isRunning }) => isRunning).map(({ auth }) => auth.getState())
    return new Set(states.filter(({ status }) => status === 'authenticated').map(viewOf))
  })
  const userOf = (view: string) => view.split(' ', 1)[0]
  const [first = [], ...others] = shown.map((views) => [...views])
  return first.flatMap((view) =>
    others
      .flat()
      .filter((other) => other !== view && userOf(other) === userOf(view))
      .map((other) => `two browsers are signed in: ${view}, ${other}`),
  )
}

function faultsOfBook({ setting: { without } }: World, { book }: Browser): string[] {
  return without.length === 0 && book.reuses.length > 0 ? [`used again: ${book.reuses.join()}`] : []
}

/** No token, code or verifier lies or goes where somebody else could read it. */
function faultsOfStorage({ hub }: World, { inside, tabs, book }: Browser): string[] {
  const places: [string, unknown][] = [
    ['local storage', inside.localStorage.entries()],
    ['words between tabs', inside.posted],
    ['real time', hub.published],
    ...tabs.flatMap(({ host, auth }): [string, unknown][] => [
      ['session storage', host.sessionStorage.entries()],
      ['warnings', host.warnings.map(({ message, cause }) => [message, String(cause)])],
      ['explain()', auth.getState().status === 'initializing' ? [] : auth.explain()],
    ]),
  ]
  return places.flatMap(([place, content]) => {
    const text = JSON.stringify(content)
    return [...book.secrets]
      .filter((secret) => text.includes(`${secret}"`))
      .map((secret) => `${place}: ${secret}`)
  })
}

/** Everything around the sessions is well, everybody has come back, and two minutes have passed. */
export async function calmDown(world: World): Promise<void> {
  for (const browser of world.browsers) {
    Object.assign(browser, { fault: 'none', frames: 'answered', latencyMs: 0 })
    setOnline(browser, true)
    browser.tabs.forEach(outOfCache)
    for (const { host } of browser.tabs) host.setVisible(true)
  }
  world.hub.restore()
  for (let round = 0; round < 6; round += 1) {
    await world.pass(round === 5 ? 120_000 : 6000)
    for (const tab of world.browsers.flatMap(({ tabs }) => tabs)) {
      comeBack(world, tab)
      await world.pass(20)
    }
  }
  await world.pass(5000)
}

/** All tabs renew at once, which is one renewal for each browser; answers the browsers where the server allowed it. */
export async function renewTogether(world: World): Promise<Set<Browser>> {
  const renewed = new Set<Browser>()
  for (const browser of world.browsers) {
    const { tabs, server } = browser
    const countGrants = () => server.tokenRequests.filter(({ isGranted }) => isGranted).length
    const before = countGrants()
    const signedIn = tabs.filter(({ auth }) => auth.getState().status === 'authenticated')
    const renewing = Promise.allSettled(signedIn.map(({ auth }) => auth.renew({ force: true })))
    await world.pass(3000)
    const isDone = (await renewing).some(({ status }) => status === 'fulfilled')
    if (isDone) renewed.add(browser)
    const count = countGrants() - before
    // Tabs that ask for something else, or cannot use what is bound to a key, have tokens of their own.
    const kinds = new Set(signedIn.map(kindOfTab)).size
    if (isDone && isOne(world, browser) && !browser.isCleared && count > kinds)
      world.faults.push(`browser ${browser.id}: ${count} renewals for ${signedIn.length} tabs`)
  }
  return renewed
}

const kindOfTab = ({ hasMoreScopes, hasDpop }: Tab) => `${hasMoreScopes} ${hasDpop}`

/** Nothing is missing with which its tabs agree. */
const isOne = ({ setting }: World, { tabs }: Browser) =>
  setting.without.length === 0 && tabs.every(({ isRunning }) => isRunning)

/** What must be true when all is calm. */
export function faultsOfCalm(world: World, renewed: ReadonlySet<Browser> = new Set()): string[] {
  const faults = [...faultsOf(world), ...faultsOfUnique(world)]
  for (const browser of world.browsers) {
    const running = browser.tabs.filter(({ isRunning }) => isRunning)
    const shown = running.map(({ auth }) => auth.getState().status)
    if (shown.includes('initializing')) faults.push(`still initializing: ${shown.join()}`)
    const { without } = world.setting
    // Two sign-ins of one millisecond have no order where nothing is kept for all tabs.
    const isOrdered = !browser.isCleared && !without.includes('store')
    const isRenewed = renewed.has(browser)
    if (!isLinked(world.setting) || !(isRenewed || isOrdered)) continue
    // Who asks for something else, or cannot use what is bound to a key, has a session of its own.
    const kinds = new Set(running.map(kindOfTab))
    for (const kind of kinds)
      faults.push(
        ...disagreements(
          running.filter((tab) => kindOfTab(tab) === kind),
          isRenewed,
        ),
      )
  }
  return faults
}

/** Signed in all, as the same user in the same session, or none; whoever may wait for the next renewal is left out until then. */
function disagreements(tabs: readonly Tab[], isRenewed: boolean): string[] {
  const views = tabs
    .filter(({ auth }) => auth.getState().status !== 'failed')
    .map(({ auth }) => viewOf(auth.getState()))
    .filter((view) => isRenewed || !MAY_WAIT.test(view))
  const kinds = new Set(views.map((view) => view.replace(/^unauthenticated.*/, 'unauthenticated')))
  return kinds.size > 1 ? [`tabs of one browser disagree: ${views.join(', ')}`] : []
}

// They said so themselves, or were told why: the next renewal of another tab brings them in again.
const MAY_WAIT = /signed-out|cancelled|idle|session-clash/

function viewOf(state: AuthState): string {
  if (state.status === 'authenticated')
    return `${state.user.userId} ${state.user.sessionId} ${state.user.firmId}`
  if (state.status !== 'unauthenticated') return state.status
  return `unauthenticated ${state.reason} ${state.cause?.code ?? ''}`
}

/** What is still alive when everything is disposed of. */
export async function remainsOf(world: World): Promise<string[]> {
  const tabs = world.browsers.flatMap((browser) => browser.tabs)
  for (const { auth } of tabs) auth.dispose()
  await world.settle()
  const now = tabs.flatMap(({ host }) => {
    const { listeners, frames, channels } = host.counts()
    return listeners + frames + channels > 0 ? [`at once: ${JSON.stringify(host.counts())}`] : []
  })
  await world.pass(70_000)
  const later = tabs.flatMap(({ host }) =>
    Object.values(host.counts()).some((count) => count > 0)
      ? [`later: ${JSON.stringify(host.counts())}`]
      : [],
  )
  return [...now, ...later]
}
