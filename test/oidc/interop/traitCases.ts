// What an app meets where a provider goes its own way once in a while: each occasional trait of a stand-in, and what latchkey makes of it.
import { auth0 } from '../../../demo/servers/oidc/traits/auth0.ts'
import { cognito } from '../../../demo/servers/oidc/traits/cognito.ts'
import { entra } from '../../../demo/servers/oidc/traits/entra.ts'
import { keycloak } from '../../../demo/servers/oidc/traits/keycloak.ts'
import { okta } from '../../../demo/servers/oidc/traits/okta.ts'
import {
  discoveryRedirects,
  ignoresPromptLogin,
  invalidRequestForUnknownRefreshToken,
} from '../../../demo/servers/oidc/traits/others.ts'
import { apiAt, idTokens, type Provider, type Trait } from '../../../demo/servers/oidc/traits/trait.ts'
import type { AuthError } from '../../../src/base/errors.ts'
import type { AuthConfig } from '../../../src/protocol/config.ts'
import { auth0 as auth0Preset, type OpenIdConnectOptions } from '../../../src/oidc/index.ts'
import { stepUpRequired } from '../../../src/base/stepUpErrors.ts'
import { describe, must, mustBe, type Rig, type Tab } from './rig.ts'
import { STAND_INS, type StandInCase, withTraits } from './standIns.ts'

export interface TraitCase {
  readonly provider: string
  readonly trait: Trait
  /** What was found, in a few words; throws where it is not right. */
  run(): Promise<string>
}

/** The test that holds a trait by itself. */
export const titleOf = ({ provider, trait }: TraitCase): string => `${provider}: ${trait.name}`

interface Around {
  /** Traits that the case needs beside its own. */
  more?: readonly Trait[]
  isBound?: boolean
  options?: Partial<OpenIdConnectOptions>
  /** The server's clock. */
  now?: () => number
}

const inRig =
  (
    which: StandInCase,
    trait: Trait,
    work: (rig: Rig) => Promise<string>,
    { more = [], ...around }: Around = {},
  ) =>
  async () => {
    const { rig, close } = await withTraits(which, [...more, trait], around)
    try {
      return await work(rig)
    } finally {
      await close()
    }
  }

/** The trait whose name begins so. */
function traitOf({ name, traits }: Provider, start: string): Trait {
  const trait = traits.find((one) => one.name.startsWith(start))
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
async function mustExplain(
  rig: Rig,
  parts: readonly string[],
  config: Partial<AuthConfig> = {},
): Promise<string> {
  let tab = await rig.open('', config)
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
async function reload(rig: Rig): Promise<string> {
  const tab = await rig.signedIn()
  let next = await rig.next(tab, tab.host.address)
  const isSent = next.auth.getState().status === 'redirecting'
  if (isSent) next = await rig.follow(next)
  mustBe(next, 'authenticated')
  return isSent
    ? 'a reload goes through the sign-in page, without a question'
    : 'a reload is signed in by the frame'
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
  provider: Provider,
  start: string,
  { audience, named, unnamed }: { audience: string; named: StandInCase; unnamed: StandInCase },
  found: string,
): TraitCase {
  const trait = traitOf(provider, start)
  const api: Trait = { name: 'an API of its own', source: 'RFC 6750 §3.1', wrap: apiAt(API, audience) }
  const statusAt = (which: StandInCase) =>
    inRig(which, trait, async (rig) => String(await callApi(rig)), { more: [api] })()
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
  caseOf(keycloak, 'a login page that was open', atKeycloak, async (rig) => {
    const back = await rig.follow(await rig.open('invoices'))
    must(back.auth.getState().status === 'redirecting', describe(back))
    const tab = await rig.follow(back)
    mustBe(tab, 'authenticated')
    must(tab.host.address.endsWith('/invoices'), tab.host.address)
    return 'the sign-in begins again by itself, and comes back to the place'
  }),
  caseOf(keycloak, 'an action that the app asked for', atKeycloak, async (rig) => {
    const tab = await rig.signedIn()
    await tab.auth.login({ parameters: { kc_action: 'UPDATE_PASSWORD' }, returnTo: '/account' })
    const back = await rig.follow(tab)
    mustBe(back, 'authenticated')
    must(back.host.address.endsWith('/account'), back.host.address)
    return 'signed in, and nothing of it is left in the address'
  }),
  caseOf(keycloak, 'behind a proxy', atKeycloak, (rig) =>
    mustExplain(rig, ['http://keycloak:8080/realms/staff', 'https://login.example.com/realms/staff']),
  ),
  caseOf(keycloak, 'a client with Client authentication on', atKeycloak, (rig) =>
    mustExplain(rig, ['unauthorized_client', 'Invalid client or Invalid client credentials']),
  ),
  caseOf(keycloak, 'a client session that ended there', atKeycloak, mustRenewByFrame),
  caseOf(
    keycloak,
    'by policy, DPoP binds',
    atKeycloak,
    async (rig) => {
      const { auth } = await rig.signedIn()
      await auth.renew({ force: true })
      must(auth.getState().status === 'authenticated', 'not signed in')
      return "dpop: 'auto' takes it, and refreshes with a proof"
    },
    { options: { dpop: 'auto' } },
  ),
]

const ENTRA_CASES: readonly TraitCase[] = [
  caseOf(entra, 'only a redirect URI of the type spa', atEntra, (rig) =>
    mustExplain(rig, ['AADSTS9002326', 'Single-Page Application']),
  ),
  refreshTokenOf24Hours(),
  caseOf(entra, 'an app that has the optional claim sid', atEntra, async (rig) => {
    const { auth } = await rig.signedIn()
    const state = auth.getState()
    must(state.status === 'authenticated' && state.user.sessionId === 'entra-sid-1', JSON.stringify(state))
    await auth.renew({ force: true })
    must(auth.getState() === state, 'another state after the renewal')
    return 'sessionId is that sid, also after a renewal'
  }),
  caseOf(entra, 'the ID token names user and tenant by oid and tid', atEntra, async (rig) => {
    const { auth } = await rig.signedIn()
    const state = auth.getState()
    must(state.status === 'authenticated' && state.user.sessionId === undefined, JSON.stringify(state))
    await auth.renew({ force: true })
    must(auth.getState() === state, 'another state after the renewal')
    return 'sessionId is absent; signed in, and renewed'
  }),
  callCase(
    entra,
    'without a scope of an API',
    {
      audience: 'api://orders',
      named: { ...atEntra, scopes: [...atEntra.scopes, 'api://orders/read'] },
      unnamed: atEntra,
    },
    'an API refuses it with 401, after a renewal too; the user stays signed in. With its scope: 200',
  ),
  caseOf(entra, 'a refresh that a policy stands against', atEntra, mustRenewByFrame),
  caseOf(entra, 'an API under continuous access evaluation', atEntra, async (rig) => {
    const api = 'https://graph.microsoft.com'
    const { auth, host } = await rig.signedIn({ apiOrigins: [api] })
    await auth.fetch(`${api}/oidc/userinfo`)
    must(host.navigations.length === 0, host.navigations.join(', '))
    return 'the frame brings a token with the claims, and the call is repeated'
  }),
  caseOf(entra, 'somebody with several accounts', atEntra, reload),
]

const DOMAIN = 'example.eu.auth0.com'
const WITH_AUDIENCE = { ...atAuth0, preset: auth0Preset({ domain: DOMAIN, audience: API }) }

const AUTH0_CASES: readonly TraitCase[] = [
  callCase(
    auth0,
    'the access token is a JWT for the API in audience',
    { audience: API, named: WITH_AUDIENCE, unnamed: { ...atAuth0, preset: auth0Preset({ domain: DOMAIN }) } },
    'without audience an API refuses it with 401; the user stays signed in. With audience: 200',
  ),
  callCase(
    auth0,
    'resource names no API',
    {
      audience: API,
      named: WITH_AUDIENCE,
      unnamed: { ...atAuth0, preset: { ...auth0Preset({ domain: DOMAIN }), parameters: { resource: API } } },
    },
    'with resource in place of audience an API refuses the token with 401; the user stays signed in',
  ),
  caseOf(auth0, 'localhost is asked for consent', atAuth0, reload),
  caseOf(
    auth0,
    'a tenant that publishes no logout endpoint',
    atAuth0,
    async (rig) => {
      const tab = await rig.signedIn()
      await tab.auth.logout()
      await rig.clock.settle()
      const back = await rig.follow(tab)
      must(describe(back) === 'unauthenticated, signed-out', describe(back))
      return 'signed out, and the sign-in page does not open by itself'
    },
    {
      options: { endSession: { url: 'https://example.eu.auth0.com/v2/logout', returnParameter: 'returnTo' } },
    },
  ),
  caseOf(auth0, 'a refresh token that was used before', atAuth0, async (rig) => {
    const sent = await loseRefresh(rig)
    must(sent[0]?.startsWith('frame ') === true, `sent ${sent.join(', ')}`)
    return 'is not sent again: the frame is asked first'
  }),
  caseOf(
    auth0,
    'an organization that was asked for',
    atAuth0,
    async (rig) => {
      const tab = await rig.signedIn()
      await tab.auth.login({ parameters: { organization: 'org_1' } })
      const back = await rig.follow(tab)
      const state = back.auth.getState()
      must(state.status === 'authenticated' && state.user.firmId === 'org_1', describe(back))
      await back.auth.renew({ force: true })
      must(back.auth.getState() === state, 'another state after the renewal')
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

const AUTH0_END: TraitCase = caseOf(auth0, 'the end of an enterprise session', atAuth0, async (rig) => {
  const { auth } = await rig.signedIn()
  const state = auth.getState()
  const leftMs = state.status === 'authenticated' ? (state.sessionEndsAtMs ?? 0) - rig.clock.nowMs : 0
  must(Math.abs(leftMs - 3_600_000) < 60_000, `ends in ${leftMs} ms`)
  await auth.renew({ force: true })
  must(auth.getState() === state, 'another state after the renewal')
  return 'is the end of the session here too, also after a renewal'
})

const OKTA_CASES: readonly TraitCase[] = [
  caseOf(okta, 'without a policy that fits', atOkta, (rig) =>
    mustExplain(rig, ['Policy evaluation failed for this request']),
  ),
  caseOf(okta, 'offline_access that the server has not', atOkta, (rig) =>
    mustExplain(rig, ['One or more scopes are not configured']),
  ),
  caseOf(okta, 'an organization without API Access Management', atOkta, (rig) =>
    mustExplain(rig, ['No OpenID Connect metadata at', 'correct the issuer']),
  ),
  caseOf(okta, 'a client that requires DPoP', atOkta, (rig) =>
    mustExplain(rig, ['invalid_dpop_proof', 'dpop']),
  ),
  caseOf(okta, 'an API that wants a stronger sign-in', atOkta, async (rig) => {
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
  caseOf(okta, 'a refresh token that was used before is taken', atOkta, async (rig) => {
    const sent = await loseRefresh(rig)
    must(sent.join() === 'POST /oauth2/default/v1/token', `sent ${sent.join(', ')}`)
    return 'is sent again, once'
  }),
]

const OTHER_CASES: readonly TraitCase[] = [
  caseOf(
    cognito,
    'the scope offline_access is refused',
    { ...atCognito, scopes: ['openid', 'offline_access'] },
    (rig) => mustExplain(rig, ['invalid_scope']),
  ),
  {
    provider: 'any',
    trait: ignoresPromptLogin,
    run: inRig(
      atKeycloak,
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
      { more: [signedInAnHourAgo()] },
    ),
  },
  {
    provider: 'any',
    trait: invalidRequestForUnknownRefreshToken,
    run: inRig(atKeycloak, invalidRequestForUnknownRefreshToken, mustRenewByFrame),
  },
  {
    provider: 'any',
    trait: discoveryRedirects,
    run: inRig(atKeycloak, discoveryRedirects, (rig) => mustExplain(rig, ['discoveryUrl'])),
  },
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
  provider: Provider,
  start: string,
  at: StandInCase,
  work: (rig: Rig) => Promise<string>,
  around?: Around,
): TraitCase {
  const trait = traitOf(provider, start)
  return { provider: provider.name, trait, run: inRig(at, trait, work, around) }
}

/** The server's clock is turned by hand: the session's own stands still. */
function refreshTokenOf24Hours(): TraitCase {
  let aheadMs = 0
  return caseOf(
    entra,
    'a refresh token ends 24 hours',
    atEntra,
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
