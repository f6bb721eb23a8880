// Whose token an API of the firm's own takes, at the providers where that is said at the sign-in: with and without what names the API.
import { apiAt, type Provider, type Trait } from '../../../demo/servers/oidc/traits/trait.ts'
import { auth0 as auth0Preset } from '../../../src/oidc/index.ts'
import { must, type Rig } from './rig.ts'
import { inRig, STAND_INS, type StandInCase } from './standIns.ts'

export interface TraitCase {
  readonly provider: string
  readonly trait: Trait
  /** What was found, in a few words; throws where it is not right. */
  run(): Promise<string>
}

/** The test that holds a trait by itself. */
export const titleOf = ({ provider, trait }: TraitCase): string => `${provider}: ${trait.name}`

/** The trait whose name begins so. */
function traitOf({ name, everyday }: Provider, start: string): Trait {
  const trait = everyday.find((one) => one.name.startsWith(start))
  if (!trait) throw new Error(`${name} has no trait "${start}"`)
  return trait
}

const { entra: atEntra, auth0: atAuth0 } = STAND_INS

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

const DOMAIN = 'example.eu.auth0.com'

export const TRAIT_CASES: readonly TraitCase[] = [
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
  callCase(
    atAuth0,
    'the access token is a JWT for the API in audience',
    {
      audience: API,
      named: { ...atAuth0, preset: auth0Preset({ domain: DOMAIN, audience: API }) },
      unnamed: { ...atAuth0, preset: auth0Preset({ domain: DOMAIN }) },
    },
    'without audience an API refuses it with 401; the user stays signed in. With audience: 200',
  ),
]
