// Validates the metadata and the issuer of an OpenID Connect provider (OpenID Connect Discovery §4, RFC 8414 §3.3).
import { fault } from '../../base/errors.ts'
import { memberOf } from '../../base/json.ts'
import { isSafeUrl } from '../origin.ts'
import { invalidMetadata, noMetadata, quote } from './oidcErrors.ts'

const REQUIRED = ['authorization_endpoint', 'token_endpoint'] as const
const OPTIONAL = [
  'end_session_endpoint',
  'userinfo_endpoint',
  'revocation_endpoint',
  'pushed_authorization_request_endpoint',
] as const
const FLAGS = [
  'authorization_response_iss_parameter_supported',
  'require_pushed_authorization_requests',
] as const
const LISTS = [
  'response_modes_supported',
  'id_token_signing_alg_values_supported',
  'dpop_signing_alg_values_supported',
] as const

/** The members that are used, by their standard names. */
export type Metadata = { readonly issuer: string } & {
  readonly [Name in (typeof REQUIRED)[number]]: string
} & { readonly [Name in (typeof OPTIONAL)[number]]?: string | undefined } & {
  readonly [Name in (typeof FLAGS)[number]]?: boolean | undefined
} & { readonly [Name in (typeof LISTS)[number]]?: readonly string[] | undefined }

const WELL_KNOWN = '/.well-known/openid-configuration'

/** The placeholder in the issuer of a multi-tenant server. */
export const TENANT = '{tenantid}'

/** The well-known part is appended to the path, not inserted before it as in RFC 8414. */
export const discoveryUrl = (issuer: string): string => issuer.replace(/\/$/, '') + WELL_KNOWN

/** Two issuers may differ in the slash after a bare host, and in nothing else. */
export const withoutBareSlash = (issuer: string): string => issuer.replace(/^(https?:\/\/[^/]+)\/$/, '$1')

/** @throws AuthError `invalid-metadata`, `issuer-mismatch` */
export function readMetadata(
  document: unknown,
  issuer: string,
  url: string,
  /** Called with the name of an unusable optional endpoint, which counts as absent. */
  onUnusable: (name: string) => void = () => {},
): Metadata {
  const read = (name: string): unknown => memberOf(document, name) ?? undefined
  const found = read('issuer')
  if (found === undefined) throw noMetadata(url)
  if (typeof found !== 'string') throw invalidMetadata('issuer')
  if (withoutBareSlash(found) !== withoutBareSlash(issuer))
    throw fault(
      'issuer-mismatch',
      `The metadata is of issuer ${quote(found)}, not of ${quote(issuer)}`,
      `If that is your provider, set issuer to exactly ${quote(found)}.`,
    )

  const metadata: Record<string, unknown> = { issuer: found }
  const [origin] = /^https?:\/\/[^/]+/.exec(issuer) ?? []
  for (const name of [...REQUIRED, ...OPTIONAL]) {
    const endpoint = read(name)
    if (isSafeUrl(endpoint, origin)) metadata[name] = endpoint
    else if ((REQUIRED as readonly string[]).includes(name)) throw invalidMetadata(name)
    else if (endpoint !== undefined) onUnusable(name)
  }
  for (const name of LISTS) {
    const list = read(name)
    if (Array.isArray(list)) metadata[name] = list.filter((item) => typeof item === 'string')
  }
  for (const name of FLAGS) if (read(name) === true) metadata[name] = true
  return Object.freeze(metadata) as unknown as Metadata
}

/** The id of a tenant, as Microsoft writes it. */
export const GUID: RegExp = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether it is the issuer of the metadata; for a multi-tenant server, with one of the allowed tenants. */
export function isIssuer(
  iss: unknown,
  { issuer }: Pick<Metadata, 'issuer'>,
  tenants: readonly string[] | 'any' | undefined,
): boolean {
  if (tenants === undefined || typeof iss !== 'string') return iss === issuer
  const tenant = tenantOf(iss, issuer)
  return tenant !== undefined && (tenants === 'any' || tenants.includes(tenant))
}

/** `undefined` if the issuer does not fit the template. */
export function tenantOf(iss: string, template: string): string | undefined {
  const [before = '', after = ''] = template.split(TENANT)
  const tenant = iss.slice(before.length, iss.length - after.length)
  return GUID.test(tenant) && before + tenant + after === iss ? tenant : undefined
}
