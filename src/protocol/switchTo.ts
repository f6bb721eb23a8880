// Reads user and organization from tokens, and checks the result of a switch to another organization.
import { isRecord, textsOf } from '../base/json.ts'
import { identityChanged } from '../base/sessionErrors.ts'
import { switchRefused } from '../base/stepUpErrors.ts'
import { type Id, readJwt, type TokenClaims, type User } from './claims.ts'
import type { Credentials, Granted, Switched } from './credentials.ts'
import { isSameIdentity, sameId } from './identity.ts'

/** The expected result of a switch; stored while the sign-in page is open. */
export interface WantedSwitch {
  readonly firmId?: Id | undefined
  readonly organization?: string | undefined
  /** The user before the switch. */
  readonly before: User
  readonly switched: Switched
  /** Whether the app itself decides who is the same person. */
  readonly isLenient: boolean
  /** Whether the tokens must name the organization: the former ones did, or a scope asked for it. */
  readonly mustName: boolean
}

/** Marks the credentials as those of a switch. @throws AuthError `identity-changed`, `switch-refused` */
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

/** The claims of both tokens; those of the ID token win. */
export const told = ({ accessToken, memory }: Credentials): TokenClaims => ({
  ...readJwt(accessToken),
  ...readJwt(memory.idToken ?? ''),
})

/** The user's sign-in name, if a token has it. */
export function hintOf(credentials: Credentials): string | undefined {
  const { preferred_username, email, userId } = told(credentials)
  return textsOf([preferred_username, email, userId]).find(Boolean)
}

/** The organization's names in the tokens of Auth0, WorkOS and Entra ID; Keycloak's is a key, or in a list. */
export function organizationsOf(credentials: Credentials): readonly string[] {
  const { org_id, org_name, organization_id, organization, tid } = told(credentials)
  const names = isRecord(organization) ? Object.keys(organization) : [organization].flat()
  // A list of several organizations does not say which one was chosen.
  const single = names.length === 1 ? names : []
  return textsOf([org_id, org_name, organization_id, tid, ...single]).filter(Boolean)
}

/** Replaces the scopes of other organizations, or of any: Keycloak takes one only. */
export const scopesFor = (scopes: readonly string[], template: string, organization: string) => [
  ...scopes.filter((scope) => !isOfTemplate(scope, template)),
  template.replace('{organization}', () => organization),
]

/** `organization`, `organization:*` and `organization:acme` are of 'organization:{organization}'. */
export const isOfTemplate = (scope: string, template: string): boolean =>
  `${scope}:`.startsWith(template.split('{')[0]!)
