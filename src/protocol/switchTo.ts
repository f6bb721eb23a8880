// Reads from tokens who has signed in and for which organization, and judges whether a switch has brought what was asked for.
import { isRecord, textsOf } from '../base/json.ts'
import { identityChanged } from '../base/sessionErrors.ts'
import { switchRefused } from '../base/stepUpErrors.ts'
import { type Id, readJwt, type TokenClaims, type User } from './claims.ts'
import type { Credentials, Granted, Switched } from './credentials.ts'
import { isSameIdentity, sameId } from './identity.ts'

/** What the tokens of a switch are held against; also across a page. */
export interface WantedSwitch {
  readonly firmId?: Id | undefined
  readonly organization?: string | undefined
  /** The user who asks. */
  readonly before: User
  readonly switched: Switched
  /** Whether the app says itself who is the same person. */
  readonly isLenient: boolean
  /** Whether tokens that name no organization are of none: those before named one, or a scope asked for it. */
  readonly mustName: boolean
}

/** Notes in what was granted that it came by a switch. @throws AuthError `identity-changed`, `switch-refused` */
export function judgeSwitch(granted: Granted, wanted: WantedSwitch): void {
  const { firmId, organization, before, switched, isLenient, mustName } = wanted
  const { claims } = granted
  const isPerson =
    sameId(claims.userId, before.userId) && sameId(claims.impersonatorId, before.impersonatorId)
  if (!isPerson && !isLenient) throw identityChanged()
  if (firmId !== undefined && !sameId(claims.firmId, firmId))
    throw switchRefused('the server signed in for another firm')
  if (organization !== undefined) {
    const named = organizationsOf(granted)
    if (named.length > 0 && !named.includes(organization))
      throw switchRefused('the server signed in for another organization')
    if (named.length === 0 && mustName && !sameId(claims.firmId, organization))
      throw switchRefused('the server signed in for no organization')
  }
  // Data of both organizations would share keys and screens.
  if (isSameIdentity(claims, before)) throw switchRefused('user and firm are the same as before')
  granted.switched = switched
}

/** What the tokens say, the ID token before the access token. */
export const told = ({ accessToken, memory }: Credentials): TokenClaims => ({
  ...readJwt(accessToken),
  ...readJwt(memory.idToken ?? ''),
})

/** The name that the user signs in with, where a token tells it. */
export function hintOf(credentials: Credentials): string | undefined {
  const { preferred_username, email, userId } = told(credentials)
  return textsOf([preferred_username, email, userId]).find(Boolean)
}

/** What the tokens call the organization: Auth0, WorkOS, Entra ID; Keycloak names it as a key, or in a list. */
export function organizationsOf(credentials: Credentials): readonly string[] {
  const { org_id, org_name, organization_id, organization, tid } = told(credentials)
  const names = isRecord(organization) ? Object.keys(organization) : [organization].flat()
  // A list of several organizations does not say which one was chosen.
  const single = names.length === 1 ? names : []
  return textsOf([org_id, org_name, organization_id, tid, ...single]).filter(Boolean)
}

/** All scopes, with that of one organization in place of those of others or of any: Keycloak takes one only. */
export const scopesFor = (scopes: readonly string[], template: string, organization: string) => [
  ...scopes.filter((scope) => !isOfTemplate(scope, template)),
  template.replace('{organization}', () => organization),
]

/** `organization`, `organization:*` and `organization:acme` are of 'organization:{organization}'. */
export const isOfTemplate = (scope: string, template: string): boolean =>
  `${scope}:`.startsWith(template.split('{')[0]!)
