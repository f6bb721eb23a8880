// Cases of a session that only some of the servers can show.
import { setTimeout as wait } from 'node:timers/promises'
import { AuthError } from '../../../src/base/errors.ts'
import { openIdConnect } from '../../../src/protocol/servers/openIdConnect.ts'
import { internalsOf } from '../../../src/session/internals.ts'
import { stepUpRequired } from '../../../src/base/stepUpErrors.ts'
import { describe, must, mustBe, type Rig, type SessionCase, type Tab } from './rig.ts'
import { isLoginPage } from './server.ts'
import { outlive, renewal } from './sessionCases.ts'

const TOKEN_LIFETIME_MS = 60_000

export const stepUp: SessionCase = {
  title: 'a step-up',
  async run(rig) {
    const tab = await rig.signedIn()
    // Servers count in whole seconds: within the same one the password is of now.
    await wait(1_100)
    await tab.auth.stepUp(stepUpRequired({ maxAgeInSeconds: 0 }))
    must(isLoginPage(await rig.look(tab)), 'nobody is asked for the password')
    const back = await rig.follow(tab)
    mustBe(back, 'authenticated')
    return 'the password is asked for again, and the user is back'
  },
}

/** Bob has agreed to the app before, and signs in at the server where ada's session has ended: the app's frame brings him. */
export const anotherUser: SessionCase = {
  title: 'another user at the server',
  async run(rig) {
    const first = await rig.open()
    const bob = await rig.follow(first, 'bob')
    mustBe(bob, 'authenticated')
    const tab = await rig.follow(await signedOutAndAsked(rig, bob))
    mustBe(tab, 'authenticated')
    await rig.endSession()
    await rig.workThrough(await rig.look(first), 'bob')
    const before = rig.requests.length
    await renewal(rig, tab)
    const isRefused = rig.requests[before] === `POST ${rig.server.tokenPath}`
    const isAtOnce = tab.auth.getState().status === 'unauthenticated'
    await outlive(rig, tab)
    must(describe(tab).startsWith('unauthenticated, expired, identity-changed'), describe(tab))
    must(isAtOnce === isRefused, `refresh token refused: ${isRefused}; ended at once: ${isAtOnce}`)
    return isRefused
      ? `the refresh token is refused, the frame brings the other: ${describe(tab)}, at once`
      : `no refresh token, the frame brings the other: ${describe(tab)}, when the token ends`
  },
}

/** It does not say whether the response came, and ends the token before. */
export const deadToken: SessionCase = {
  title: 'user info, where a lost refresh has ended the token',
  async run(rig) {
    const tab = await rig.signedIn()
    rig.hideTokens()
    await renewal(rig, tab)
    rig.showTokens()
    // A newer token that is refused is not renewed.
    await rig.clock.advance(30_000)
    const before = rig.requests.length
    const { sub } = await internalsOf(tab.auth).readUserInfo()
    must(typeof sub === 'string', 'no user info')
    mustBe(tab, 'authenticated')
    return rig.requests.slice(before).join(', ')
  },
}

export const logoutInOrder: SessionCase = {
  title: 'a sign-in after a logout',
  async run(rig) {
    const tab = await signedOutAndAsked(rig, await rig.signedIn())
    const maxAge = new URL(tab.host.navigations.at(-1)!).searchParams.get('max_age')
    must(maxAge !== '0', 'max_age=0: a server that takes it literally asks for ever')
    must(isLoginPage(await rig.look(tab)), 'nobody is asked for the password')
    mustBe(await rig.follow(tab), 'authenticated')
    return 'the password is asked for once'
  },
}

/** A frame of this browser has found the session before, and finds none after the logout. */
export const goneSession: SessionCase = {
  title: 'a sign-in after a logout, its session known to be gone',
  async run(rig) {
    const first = await rig.signedIn()
    const reloaded = await rig.next(first, first.host.address)
    mustBe(reloaded, 'authenticated')
    const tab = await signedOutAndAsked(rig, reloaded)
    const sent = new URL(tab.host.navigations.at(-1)!).searchParams
    const asked = ['prompt', 'max_age'].filter((name) => sent.has(name))
    must(asked.length === 0, `${asked.join(', ')} sent`)
    must(isLoginPage(await rig.look(tab)), 'nobody is asked for the password')
    mustBe(await rig.follow(tab), 'authenticated')
    return 'neither prompt nor max_age is sent; the password is asked for, as the session is gone'
  },
}

export const owedLogout: SessionCase = {
  title: 'a logout that is owed',
  async run(rig) {
    const first = await rig.signedIn()
    await rig.away(async () => first.auth.logout())
    first.auth.dispose()
    first.host.close()
    const before = rig.requests.length
    const second = await rig.open('', { autoLogin: false })
    const sent = second.host.navigations.at(-1)
    must(sent?.includes('id_token_hint=') === true, `${describe(second)}, sent to ${sent}`)
    const asked = rig.requests.slice(before).join(', ')
    const back = await rig.follow(second)
    must(describe(back) === 'unauthenticated, signed-out', describe(back))
    await back.auth.login()
    must(isLoginPage(await rig.look(back)), 'the session lives')
    return `the next page ends the session, with the ID token of the frame: ${asked}`
  },
}

/** Both are at the sign-in page; the person signs in at that of the second, then at that of the first. */
export const secondFirst: SessionCase = {
  title: 'two tabs at the sign-in page, the second signs in',
  async run(rig) {
    const [first, second] = [await rig.open('invoices'), await rig.open('users')]
    const [page, other] = [await rig.look(first), await rig.look(second)]
    const back = await rig.next(second, (await rig.workThrough(other)).url)
    mustBe(back, 'authenticated')
    must(back.host.address.endsWith('/users'), back.host.address)
    const { url } = await rig.workThrough(page)
    const late = await rig.next(first, url)
    await rig.clock.advance(10_000)
    mustBe(late, 'authenticated')
    return `signed in in both; the first came back with ${[...new URL(url).searchParams.keys()].join(', ')}`
  },
}

/** The server keeps one request of a browser: the answer to the second tab's arrives in the first. */
export const keptRequest: SessionCase = {
  title: 'two tabs at the sign-in page, the first signs in',
  async run(rig) {
    const [first, second] = [await rig.open('invoices'), await rig.open('users')]
    const page = await rig.look(first)
    await rig.look(second)
    const { url } = await rig.workThrough(page)
    const back = await rig.next(first, url)
    const place = back.host.address
    const end = back.auth.getState().status === 'redirecting' ? await rig.follow(back) : back
    mustBe(end, 'authenticated')
    must(end.host.address.endsWith('/invoices'), `${place}, then ${end.host.address}`)
    return 'signed in, at the place of the first'
  },
}

/** A JWT tells that it is not for the resource. */
export const ignoredResource = (clientId?: string): SessionCase => ({
  title: `a token for an API, where resource is ignored${clientId ? ', as a JWT' : ''}`,
  async run(rig) {
    const userInfo = await userInfoAddress(rig)
    const apiOrigins = [new URL(userInfo).origin]
    const { auth } = await rig.signedIn({ apiOrigins, ...(clientId && { clientId }) })
    const asked = await auth.getAccessToken({ resource: 'https://api.example.com' }).then(
      () => 'taken',
      (thrown: unknown) => (thrown instanceof AuthError ? thrown.code : String(thrown)),
    )
    must(asked === (clientId ? 'not-supported' : 'taken'), asked)
    const before = rig.countTokenRequests()
    await auth.fetch(userInfo)
    const renewals = rig.countTokenRequests() - before
    must(renewals <= (clientId ? 0 : 1), `${renewals} renewals`)
    return `${asked}; the session goes on, with ${renewals} renewals`
  },
})

export const withoutSilence: SessionCase = {
  title: "silent: 'off' without a refresh token",
  async run(rig) {
    const server = openIdConnect({ ...rig.server.options, silent: 'off' })
    const tab = await rig.signedIn({ server, autoRefreshToken: true })
    await rig.clock.advance(TOKEN_LIFETIME_MS * 0.9)
    mustBe(tab, 'authenticated')
    await rig.clock.advance(TOKEN_LIFETIME_MS * 0.2)
    must(describe(tab).startsWith('unauthenticated, expired'), describe(tab))
    return `the token lives to its end, then ${describe(tab)}`
  },
}

export const bothOver: SessionCase = {
  title: 'session and token both over',
  async run(rig) {
    const known = await rig.signedIn()
    await rig.server.pause(async () => {})
    // Two reloads find the sign-in page in the frame: the browser knows that it is mute.
    let page = known
    for (let count = 0; count < 2; count += 1)
      page = await rig.follow(await rig.next(page, page.host.address))
    mustBe(page, 'authenticated')
    await rig.server.pause(async () => {})
    rig.clock.sleep(2 * TOKEN_LIFETIME_MS)
    const before = rig.requests.length
    const click = page.auth.getAccessToken().then(
      () => 'a token',
      (thrown: unknown) => String(thrown),
    )
    await rig.clock.advance(5_000)
    const found = await click
    must(describe(page).startsWith('unauthenticated'), `${found}; ${describe(page)}`)
    return `the first click ends it: ${rig.requests.slice(before).join(', ')}; ${describe(page)}`
  },
}

/** The tab after a logout, on its way to the next sign-in. */
export async function signedOutAndAsked(rig: Rig, tab: Tab): Promise<Tab> {
  await tab.auth.logout()
  const back = await rig.follow(tab)
  must(describe(back) === 'unauthenticated, signed-out', describe(back))
  await back.auth.login()
  await rig.clock.settle()
  return back
}

async function userInfoAddress({ server }: Rig): Promise<string> {
  const response = await fetch(
    `${server.options.issuer?.replace(/\/$/, '')}/.well-known/openid-configuration`,
  )
  return ((await response.json()) as { userinfo_endpoint: string }).userinfo_endpoint
}
