// A whole session with a server that somebody else wrote, case by case: each in a browser of its own.
import { AuthError } from '../../../src/base/errors.ts'
import { internalsOf } from '../../../src/session/internals.ts'
import { describe, must, mustBe, type Rig, type SessionCase, type Tab } from './rig.ts'

const TAB_COUNT = 8
/** A token of every server here lives for a minute. */
const TOKEN_LIFETIME_MS = 60_000

export const SESSION_CASES: readonly SessionCase[] = [
  {
    title: 'a cold sign-in',
    async run(rig) {
      const tab = await rig.follow(await rig.open('invoices?page=2'))
      mustBe(tab, 'authenticated')
      must(tab.host.address.endsWith('/invoices?page=2'), `came back to ${tab.host.address}`)
      const found = `back at the place; ${rig.requests.join(', ')}`
      // Refused where it is of another user.
      const { sub } = await internalsOf(tab.auth).readUserInfo()
      must(typeof sub === 'string', 'no user info')
      return found
    },
  },
  {
    title: 'a reload',
    async run(rig) {
      const tab = await rig.signedIn()
      const before = rig.requests.length
      const isSent = await reload(rig, tab)
      return `signed in by ${isSent ? 'redirect' : 'the frame'}; ${rig.requests.slice(before).join(', ')}`
    },
  },
  {
    title: 'a new tab',
    async run(rig) {
      await rig.signedIn()
      const before = rig.requests.length
      const second = await rig.open()
      mustBe(second, 'authenticated')
      must(rig.requests.length === before, `asked for ${rig.requests.slice(before).join(', ')}`)
      return 'signed in by the first one, without a request'
    },
  },
  {
    title: 'a renewal on time',
    async run(rig) {
      const { auth } = await rig.signedIn({ autoRefreshToken: true })
      return mustRenew(rig, auth, () => rig.clock.advance(TOKEN_LIFETIME_MS * 0.6))
    },
  },
  {
    title: 'a forced renewal',
    async run(rig) {
      const { auth } = await rig.signedIn()
      return mustRenew(rig, auth, () => auth.renew({ force: true }))
    },
  },
  {
    title: '8 tabs, an expired token',
    async run(rig) {
      const tabs = [await rig.signedIn()]
      while (tabs.length < TAB_COUNT) tabs.push(await rig.open())
      const before = rig.countTokenRequests()
      rig.clock.sleep(2 * TOKEN_LIFETIME_MS)
      const asked = Promise.all(tabs.map(({ auth }) => auth.getAccessToken()))
      await rig.clock.advance(5_000)
      const tokens = await asked
      for (const tab of tabs) mustBe(tab, 'authenticated')
      must(new Set(tokens).size === 1, `${new Set(tokens).size} tokens`)
      must(rig.countTokenRequests() === before + 1, `${rig.countTokenRequests() - before} refreshes`)
      return '1 refresh, the same token in all'
    },
  },
  {
    title: 'a logout, and the other tabs',
    async run(rig) {
      const first = await rig.signedIn()
      const second = await rig.open()
      await first.auth.logout()
      await rig.clock.settle()
      must(describe(second) === 'unauthenticated, signed-out', `the other tab: ${describe(second)}`)
      must(second.host.navigations.length === 0, 'the other tab was sent away')
      const back = await rig.follow(first)
      must(describe(back) === 'unauthenticated, signed-out', describe(back))
      const third = await rig.open('', { autoLogin: false })
      must(third.auth.getState().status === 'unauthenticated', `a new tab: ${describe(third)}`)
      return 'signed out in both, and the server has no session left'
    },
  },
  {
    title: 'a denied sign-in',
    async run(rig) {
      const clientId = rig.server.strangerClientId ?? rig.server.clientId
      const first = await rig.open('', { autoLogin: false, clientId })
      await first.auth.login({ prompt: 'consent' })
      const tab = await rig.follow(first, 'no')
      must(describe(tab).startsWith('unauthenticated, cancelled'), describe(tab))
      must(tab.host.navigations.length === 0, 'was sent to the sign-in page again')
      return describe(tab)
    },
  },
  {
    title: 'a wrong client',
    async run(rig) {
      const tab = await rig.open('', { clientId: 'nobody', autoLogin: false })
      // The frame stays on a page of the server, which nobody sees.
      await rig.clock.advance(10_000)
      const found = describe(tab)
      // Where sign-ins are pushed, the push is refused.
      if (tab.auth.getState().status === 'failed') return found
      mustBe(tab, 'unauthenticated')
      await tab.auth.login()
      const page = await rig.look(tab)
      must(page.status !== 0, `was sent back: ${page.url}`)
      must(rig.countTokenRequests() === 0, 'a token was asked for')
      return `${found}; sign-in ends at the server's own page, ${page.status}`
    },
  },
  {
    title: 'a restart of the server',
    async run(rig) {
      const tab = await rig.signedIn()
      await rig.server.pause(async () => {
        const code = await renewal(rig, tab)
        must(code === 'network', `while it was down: ${code}`)
        mustBe(tab, 'authenticated')
      })
      const code = await renewal(rig, tab)
      if (!rig.server.isForgetful) {
        mustBe(tab, 'authenticated')
        return 'network, still signed in; renewed afterwards'
      }
      must(['invalid-grant', 'iframe-timeout'].includes(code), `afterwards: ${code}`)
      await outlive(rig, tab)
      // A frame at a page of the server tells nothing: only a second one ends it.
      if (code === 'iframe-timeout') await renewal(rig, tab)
      must(describe(tab).startsWith('unauthenticated, expired'), describe(tab))
      await tab.auth.login()
      const again = await rig.follow(tab)
      mustBe(again, 'authenticated')
      return 'network, still signed in; then expired with its token, as the server has forgotten the session: signed in anew'
    },
  },
  {
    title: 'a token endpoint without CORS',
    async run(rig) {
      const first = await rig.open()
      rig.hideTokens()
      const tab = await rig.follow(first)
      const state = tab.auth.getState()
      const error = state.status === 'failed' ? state.error : undefined
      must(error?.remedy?.includes('CORS') === true, `${describe(tab)} ${error?.remedy}`)
      return `${describe(tab)}: ${error!.remedy}`
    },
  },
]

async function mustRenew(rig: Rig, auth: Tab['auth'], work: () => Promise<unknown>): Promise<string> {
  const [state, token, before] = [auth.getState(), await auth.getAccessToken(), rig.countTokenRequests()]
  await work()
  must(rig.countTokenRequests() === before + 1, `${rig.countTokenRequests() - before} refreshes`)
  must((await auth.getAccessToken()) !== token, 'the same token')
  must(auth.getState() === state, 'another state: the app would render')
  return '1 refresh, another token, no render'
}

/** Whether the next page of the tab had to go through the sign-in page. */
export async function reload(rig: Rig, tab: Tab): Promise<boolean> {
  const next = await rig.next(tab, tab.host.address)
  const isSent = next.auth.getState().status === 'redirecting'
  mustBe(isSent ? await rig.follow(next) : next, 'authenticated')
  return isSent
}

/** A frame that never comes back is given up within that time. */
const GIVEN_UP_MS = 10_000

/** How a forced renewal ends: the code of its error, or 'renewed'. */
export async function renewal({ clock }: Rig, { auth }: Tab): Promise<string> {
  const renewing = auth.renew({ force: true }).then(
    () => 'renewed',
    (error: unknown) => (error instanceof AuthError ? error.code : String(error)),
  )
  await clock.advance(GIVEN_UP_MS)
  return renewing
}

/** Waits until the token's life is over. */
export async function outlive({ clock }: Rig, { auth }: Tab): Promise<void> {
  const state = auth.getState()
  const { expiresAtMs = 0 } = state.status === 'authenticated' ? state : {}
  await clock.advance(Math.max(0, expiresAtMs - clock.nowMs))
}
