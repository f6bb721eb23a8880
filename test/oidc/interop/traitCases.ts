// What an app meets where a provider goes its own way once in a while: each occasional trait of a stand-in, and what latchkey makes of it.
import { discoveryRedirects, ignoresPromptLogin } from '../../../demo/servers/oidc/traits/others.ts'
import { apiAt, idTokens, type Provider, type Trait } from '../../../demo/servers/oidc/traits/trait.ts'
import type { AuthError } from '../../../src/base/errors.ts'
import { auth0 as auth0Preset } from '../../../src/oidc/index.ts'
import { stepUpRequired } from '../../../src/base/stepUpErrors.ts'
import { describe, must, mustBe, type Rig, type Tab } from './rig.ts'
import { reload } from './sessionCases.ts'
import { type Around, inRig, STAND_INS, type StandInCase } from './standIns.ts'

export interface TraitCase {
  readonly provider: string
  readonly trait: Trait
  /** What was found, in a few words; throws where it is not right. */
  run(): Promise<string>
}

/** The test that holds a trait by itself. */
export const titleOf = ({ provider, trait }: TraitCase): string => `${provider}: ${trait.name}`

/** The trait whose name begins so. */
function traitOf({ name, everyday, occasional }: Provider, start: string): Trait {
  const trait = [...everyday, ...occasional].find((one) => one.name.startsWith(start))
  if (!trait) throw new Error(`${name} has no trait "${start}"`)
  return trait
}

const { keycloak: atKeycloak, entra: atEntra, auth0: atAuth0, okta: atOkta, cognito: atCognito } = STAND_INS

/** The error that the tab shows. */
function errorOf({ auth }: Tab): AuthError {
  const state = auth.getState()
  const error =
    state.status === 'failed' ? state.error : state.status === 'unauthenticated' ? state.cause : undefined
  if (!error) throw new Error('no error')
  return error
}

/** A cold sign-in that ends with an error: the error's code, once what a developer reads has all of this. */
async function mustExplain(rig: Rig, parts: readonly string[]): Promise<string> {
  let tab = await rig.open()
  if (tab.auth.getState().status === 'redirecting') tab = await rig.follow(tab)
  const { code, message, remedy = '' } = errorOf(tab)
  for (const part of parts)
    must(`${message} ${remedy}`.includes(part), `"${part}" is not in: ${describe(tab)} ${remedy}`)
  return `${code}: ${message}`
}

async function mustRenewByFrame(rig: Rig): Promise<string> {
  const { auth } = await rig.signedIn()
  const before = rig.requests.length
  await auth.renew({ force: true })
  const sent = rig.requests.slice(before)
  must(
    sent.some((one) => one.startsWith('frame ')),
    `no frame: ${sent.join(', ')}`,
  )
  must(auth.getState().status === 'authenticated', 'not signed in any more')
  return 'the frame renews, the user stays signed in'
}

/** How a reload finds the session. */
const reloadOf = async (rig: Rig): Promise<string> =>
  (await reload(rig, await rig.signedIn()))
    ? 'a reload goes through the sign-in page, without a question'
    : 'a reload is signed in by the frame'

function userOf({ auth }: Tab) {
  const state = auth.getState()
  if (state.status !== 'authenticated') throw new Error(`not signed in: ${state.status}`)
  return state.user
}

/** A renewal that the app does not notice. */
async function mustRenew({ auth }: Tab): Promise<string> {
  const state = auth.getState()
  must(state.status === 'authenticated', 'not signed in')
  await auth.renew({ force: true })
  must(auth.getState() === state, 'another state after the renewal')
  return 'signed in, and renewed'
}

/** A refresh whose response never came, and the next one. */
async function loseRefresh(rig: Rig): Promise<readonly string[]> {
  const { auth } = await rig.signedIn()
  rig.hideTokens()
  await auth.renew({ force: true }).catch(() => {})
  rig.showTokens()
  const before = rig.requests.length
  await auth.renew({ force: true })
  must(auth.getState().status === 'authenticated', 'not signed in any more')
  return rig.requests.slice(before)
}

/** An API of the firm's own, beside the provider. */
const API = 'https://api.example.com'

/** What a call of that API gets, once somebody has signed in: its status. */
async function callApi(rig: Rig): Promise<number> {
  const { auth } = await rig.signedIn({ apiOrigins: [API] })
  const status = await auth.fetch.raw(`${API}/orders`).then(
    (response) => response.status,
    (error: unknown) => Number(Object(error).status),
  )
  must(auth.getState().status === 'authenticated', 'not signed in any more')
  return status
}

/** The same app with and without what names the API. */
function callCase(
  { provider }: StandInCase,
  start: string,
  { audience, named, unnamed }: { audience: string; named: StandInCase; unnamed: StandInCase },
  found: string,
): TraitCase {
  const trait = traitOf(provider, start)
  const api: Trait = { name: 'an API of its own', source: 'RFC 6750 §3.1', wrap: apiAt(API, audience) }
  const statusAt = (which: StandInCase) =>
    inRig(which, [api, trait], async (rig) => String(await callApi(rig)))
  return {
    provider: provider.name,
    trait,
    async run() {
      const statuses = [await statusAt(named), await statusAt(unnamed)].join(', ')
      must(statuses === '200, 401', `${statuses}: with and without what names the API`)
      return found
    },
  }
}

const KEYCLOAK_CASES: readonly TraitCase[] = [
  caseOf(atKeycloak, 'a login page that was open', async (rig) => {
    const back = await rig.follow(await rig.open('invoices'))
    must(back.auth.getState().status === 'redirecting', describe(back))
    const tab = await rig.follow(back)
    mustBe(tab, 'authenticated')
    must(tab.host.address.endsWith('/invoices'), tab.host.address)
    return 'the sign-in begins again by itself, and comes back to the place'
  }),
  caseOf(atKeycloak, 'an action that the app asked for', async (rig) => {
    const tab = await rig.signedIn()
    await tab.auth.login({ parameters: { kc_action: 'UPDATE_PASSWORD' }, returnTo: '/account' })
    const back = await rig.follow(tab)
    mustBe(back, 'authenticated')
    must(back.host.address.endsWith('/account'), back.host.address)
    return 'signed in, and nothing of it is left in the address'
  }),
  explainCase(
    atKeycloak,
    'behind a proxy',
    'http://keycloak:8080/realms/staff',
    'https://login.example.com/realms/staff',
  ),
  explainCase(
    atKeycloak,
    'a client with Client authentication on',
    'unauthorized_client',
    'Invalid client or Invalid client credentials',
  ),
  caseOf(atKeycloak, 'a client session that ended there', mustRenewByFrame),
  caseOf(
    atKeycloak,
    'by policy, DPoP binds',
    async (rig) => {
      await mustRenew(await rig.signedIn())
      return "dpop: 'auto' takes it, and refreshes with a proof"
    },
    { options: { dpop: 'auto' } },
  ),
]

const ENTRA_CASES: readonly TraitCase[] = [
  explainCase(atEntra, 'only a redirect URI of the type spa', 'AADSTS9002326', 'Single-Page Application'),
  refreshTokenOf24Hours(),
  caseOf(atEntra, 'an app that has the optional claim sid', async (rig) => {
    const tab = await rig.signedIn()
    const { sessionId } = userOf(tab)
    must(sessionId === 'entra-sid-1', String(sessionId))
    await mustRenew(tab)
    return 'sessionId is that sid, also after a renewal'
  }),
  caseOf(atEntra, 'the ID token names user and tenant by oid and tid', async (rig) => {
    const tab = await rig.signedIn()
    const { sessionId } = userOf(tab)
    must(sessionId === undefined, String(sessionId))
    return `sessionId is absent; ${await mustRenew(tab)}`
  }),
  callCase(
    atEntra,
    'without a scope of an API',
    {
      audience: 'api://orders',
      named: { ...atEntra, scopes: [...atEntra.scopes, 'api://orders/read'] },
      unnamed: atEntra,
    },
    'an API refuses it with 401, after a renewal too; the user stays signed in. With its scope: 200',
  ),
  caseOf(atEntra, 'a refresh that a policy stands against', mustRenewByFrame),
  caseOf(atEntra, 'an API under continuous access evaluation', async (rig) => {
    const api = 'https://graph.microsoft.com'
    const { auth, host } = await rig.signedIn({ apiOrigins: [api] })
    await auth.fetch(`${api}/oidc/userinfo`)
    must(host.navigations.length === 0, host.navigations.join(', '))
    return 'the frame brings a token with the claims, and the call is repeated'
  }),
  caseOf(atEntra, 'somebody with several accounts', reloadOf),
]

const DOMAIN = 'example.eu.auth0.com'
const WITH_AUDIENCE = { ...atAuth0, preset: auth0Preset({ domain: DOMAIN, audience: API }) }

const AUTH0_CASES: readonly TraitCase[] = [
  callCase(
    atAuth0,
    'the access token is a JWT for the API in audience',
    { audience: API, named: WITH_AUDIENCE, unnamed: { ...atAuth0, preset: auth0Preset({ domain: DOMAIN }) } },
    'without audience an API refuses it with 401; the user stays signed in. With audience: 200',
  ),
  callCase(
    atAuth0,
    'resource names no API',
    {
      audience: API,
      named: WITH_AUDIENCE,
      unnamed: { ...atAuth0, preset: { ...auth0Preset({ domain: DOMAIN }), parameters: { resource: API } } },
    },
    'with resource in place of audience an API refuses the token with 401; the user stays signed in',
  ),
  caseOf(atAuth0, 'localhost is asked for consent', reloadOf),
  caseOf(
    atAuth0,
    'a tenant that publishes no logout endpoint',
    async (rig) => {
      const tab = await rig.signedIn()
      await tab.auth.logout()
      const back = await rig.follow(tab)
      must(describe(back) === 'unauthenticated, signed-out', describe(back))
      return 'signed out, and the sign-in page does not open by itself'
    },
    {
      options: { endSession: { url: 'https://example.eu.auth0.com/v2/logout', returnParameter: 'returnTo' } },
    },
  ),
  caseOf(atAuth0, 'a refresh token that was used before', async (rig) => {
    const sent = await loseRefresh(rig)
    must(sent[0]?.startsWith('frame ') === true, `sent ${sent.join(', ')}`)
    return 'is not sent again: the frame is asked first'
  }),
  caseOf(
    atAuth0,
    'an organization that was asked for',
    async (rig) => {
      const tab = await rig.signedIn()
      await tab.auth.login({ parameters: { organization: 'org_1' } })
      const back = await rig.follow(tab)
      must(userOf(back).firmId === 'org_1', describe(back))
      await mustRenew(back)
      return 'firmId is org_1, also after a renewal'
    },
    {
      options: {
        claims: ({ sub, org_id }) => ({
          userId: String(sub),
          ...(typeof org_id === 'string' && { firmId: org_id }),
        }),
      },
    },
  ),
]

const AUTH0_END: TraitCase = caseOf(atAuth0, 'the end of an enterprise session', async (rig) => {
  const tab = await rig.signedIn()
  const state = tab.auth.getState()
  const leftMs = state.status === 'authenticated' ? (state.sessionEndsAtMs ?? 0) - rig.clock.nowMs : 0
  must(Math.abs(leftMs - 3_600_000) < 60_000, `ends in ${leftMs} ms`)
  await mustRenew(tab)
  return 'is the end of the session here too, also after a renewal'
})

const OKTA_CASES: readonly TraitCase[] = [
  explainCase(atOkta, 'without a policy that fits', 'Policy evaluation failed for this request'),
  explainCase(atOkta, 'offline_access that the server has not', 'One or more scopes are not configured'),
  explainCase(
    atOkta,
    'an organization without API Access Management',
    'No OpenID Connect metadata at',
    'correct the issuer',
  ),
  explainCase(atOkta, 'a client that requires DPoP', 'invalid_dpop_proof', 'dpop'),
  caseOf(atOkta, 'an API that wants a stronger sign-in', async (rig) => {
    const api = 'https://example.okta.com'
    const call = async ({ auth }: Tab) => auth.fetch(`${api}/oauth2/default/v1/userinfo`)
    const tab = await rig.signedIn({ apiOrigins: [api] })
    const error = await call(tab).then(
      () => undefined,
      (thrown: unknown) => thrown as AuthError,
    )
    must(error?.code === 'step-up-required', String(error))
    await tab.auth.stepUp(error!)
    const back = await rig.follow(tab)
    mustBe(back, 'authenticated')
    await call(back)
    return 'step-up-required; after the stronger sign-in the call succeeds'
  }),
  caseOf(atOkta, 'a refresh token that was used before is taken', async (rig) => {
    const sent = await loseRefresh(rig)
    must(sent.join() === 'POST /oauth2/default/v1/token', `sent ${sent.join(', ')}`)
    return 'is sent again, once'
  }),
]

const OTHER_CASES: readonly TraitCase[] = [
  explainCase(
    { ...atCognito, scopes: ['openid', 'offline_access'] },
    'the scope offline_access is refused',
    'invalid_scope',
  ),
  anywhere(
    ignoresPromptLogin,
    async (rig) => {
      const tab = await rig.signedIn()
      await tab.auth.stepUp(stepUpRequired({ maxAgeInSeconds: 60 }))
      const back = await rig.follow(tab)
      mustBe(back, 'authenticated')
      const step = back.auth
        .explain()
        .find(({ step: name, outcome }) => name === 'step-up' && outcome === 'failed')
      must(String(step?.detail).includes('auth_time'), JSON.stringify(step))
      return 'a step-up that did not happen is seen: auth_time is too old'
    },
    signedInAnHourAgo(),
  ),
  anywhere(discoveryRedirects, (rig) => mustExplain(rig, ['discoveryUrl'])),
]

export const TRAIT_CASES: readonly TraitCase[] = [
  ...KEYCLOAK_CASES,
  ...ENTRA_CASES,
  ...AUTH0_CASES,
  AUTH0_END,
  ...OKTA_CASES,
  ...OTHER_CASES,
]

function caseOf(
  at: StandInCase,
  start: string,
  work: (rig: Rig) => Promise<string>,
  around?: Around,
): TraitCase {
  const trait = traitOf(at.provider, start)
  return { provider: at.provider.name, trait, run: async () => inRig(at, [trait], work, around) }
}

/** A cold sign-in that ends with an error: what a developer reads has all of this. */
function explainCase(at: StandInCase, start: string, ...parts: readonly string[]): TraitCase {
  return caseOf(at, start, async (rig) => mustExplain(rig, parts))
}

/** A trait of servers that have no stand-in of their own. */
function anywhere(trait: Trait, work: (rig: Rig) => Promise<string>, ...more: Trait[]): TraitCase {
  return { provider: 'any', trait, run: async () => inRig(atKeycloak, [...more, trait], work) }
}

/** The server's clock is turned by hand: the session's own stands still. */
function refreshTokenOf24Hours(): TraitCase {
  let aheadMs = 0
  return caseOf(
    atEntra,
    'a refresh token ends 24 hours',
    async (rig) => {
      aheadMs = 0
      const { auth } = await rig.signedIn()
      const waysAt = async (hours: number) => {
        aheadMs = hours * 3_600_000
        const before = rig.requests.length
        await auth.renew({ force: true })
        must(auth.getState().status === 'authenticated', `not signed in any more after ${hours} h`)
        return rig.requests.slice(before).map((one) => one.split(' ')[0])
      }
      // The refresh in between does not put the end off.
      for (const hours of [12, 23]) must(!(await waysAt(hours)).includes('frame'), `a frame after ${hours} h`)
      must((await waysAt(25)).includes('frame'), 'no frame after 25 h')
      must(!(await waysAt(48)).includes('frame'), 'a frame, 23 h after the one before')
      return 'refreshed after 12 and 23 h; after 25 h the frame renews, and the user stays signed in'
    },
    { now: () => Date.now() + aheadMs },
  )
}

/** The server's own clock says so. */
function signedInAnHourAgo(): Trait {
  return {
    name: 'the sign-in is an hour old',
    source: 'a clock',
    wrap: idTokens(({ auth_time }) => ({ auth_time: Number(auth_time) - 3600 })),
  }
}
