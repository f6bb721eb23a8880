// Reads the metadata of an OpenID Connect provider, as the app's page would.
import { corsFault } from './headers.ts'
import { fault, type Report } from '../report.ts'
import { appOriginOf, askByScript, type Server, statusOf, type Subject } from './server.ts'

/** Undefined: there is no sense in going on without the endpoints. */
export async function discover(
  report: Report,
  subject: Subject,
  issuer: string,
  address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
): Promise<Server | undefined> {
  const appOrigin = appOriginOf(subject)
  let metadata: Readonly<Record<string, unknown>> | undefined
  await report.check('discovery', 'The metadata can be read by the app’s page', async () => {
    const answer = await askByScript({ appOrigin }, address)
    metadata = answer.status === 200 ? answer.json : undefined
    if (answer.location)
      return fault(
        `${address} redirects to ${answer.location.href}`,
        'Set that address as discoveryUrl in openIdConnect, and check with --discovery.',
      )
    if (!metadata)
      return fault(
        `${address}: ${statusOf(answer)}, ${answer.headers.get('content-type') ?? 'no content type'}`,
        'Name the issuer, not a page of the provider; serve its metadata there as JSON.',
      )
    return corsFault(answer, appOrigin)
  })
  if (!metadata) return undefined
  const known = metadata
  const endpoint = (name: string) => {
    const value = known[name]
    return typeof value === 'string' && URL.canParse(value) ? value : undefined
  }

  await report.check('issuer', 'The metadata names the issuer letter for letter', () =>
    known['issuer'] === issuer
      ? undefined
      : fault(
          `issuer: ${JSON.stringify(known['issuer'])}, and the check was given ${JSON.stringify(issuer)}`,
          'Give latchkey the issuer as the metadata has it, the trailing slash too.',
        ),
  )
  await report.check('pkce-listed', 'The metadata lists PKCE with S256', () => {
    const methods = known['code_challenge_methods_supported']
    return Array.isArray(methods) && methods.includes('S256')
      ? undefined
      : fault(
          `code_challenge_methods_supported: ${JSON.stringify(methods)}`,
          'Support S256 and list it (RFC 8414).',
        )
  })
  const authorize = endpoint('authorization_endpoint')
  const token = endpoint('token_endpoint')
  await report.check('endpoints', 'The metadata names both endpoints of a sign-in', () =>
    authorize !== undefined && token !== undefined
      ? undefined
      : fault(
          `authorization_endpoint: ${authorize ?? 'absent'}, token_endpoint: ${token ?? 'absent'}`,
          'Name authorization_endpoint and token_endpoint by their full addresses.',
        ),
  )
  if (authorize === undefined || token === undefined) return undefined
  const pushEndpoint = endpoint('pushed_authorization_request_endpoint')
  return {
    ...subject,
    kind: 'oidc',
    issuer,
    appOrigin,
    authorize,
    isNamed: known['authorization_response_iss_parameter_supported'] === true,
    push: known['require_pushed_authorization_requests'] === true ? pushEndpoint : undefined,
    pushEndpoint,
    token,
    userInfo: endpoint('userinfo_endpoint'),
    logout: endpoint('end_session_endpoint'),
  }
}
