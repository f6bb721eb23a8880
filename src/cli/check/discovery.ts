// Reads the metadata of an OpenID Connect provider, as the app's page would.
import { discoveryUrl } from '../../protocol/servers/metadata.ts'
import { corsFault } from './headers.ts'
import { fault, note, type Report } from '../report.ts'
import { type Answer, appOriginOf, ask, type Server, statusOf, type Subject } from './server.ts'

/** `undefined`: without the endpoints, nothing more can be checked. */
export async function discover(
  report: Report,
  subject: Subject,
  issuer: string,
  address = discoveryUrl(issuer),
): Promise<Server | undefined> {
  const appOrigin = appOriginOf(subject)
  let known: Answer['json']
  await report.check(issuer, {
    discovery: {
      promise: 'The metadata can be read by the app’s page',
      fix: 'Name the issuer, not a page of the provider; serve its metadata there as JSON.',
      async find() {
        const answer = await ask(subject, address)
        known = answer.status === 200 ? answer.json : undefined
        if (answer.location)
          return fault(
            `${address} redirects to ${answer.location.href}`,
            'Set that address as discoveryUrl in openIdConnect, and check with --discovery.',
          )
        return known
          ? corsFault(answer, appOrigin)
          : `${address}: ${statusOf(answer)}, ${answer.headers.get('content-type') ?? 'no content type'}`
      },
    },
  })
  if (!known) return undefined
  const metadata = known
  const endpoint = (name: string) => {
    const value = metadata[name]
    return typeof value === 'string' && URL.canParse(value) ? value : undefined
  }
  await report.check(metadata, {
    issuer: {
      promise: 'The metadata names the issuer letter for letter',
      fix: 'Give latchkey the issuer as the metadata has it, the trailing slash too.',
      find: (said) =>
        said['issuer'] === issuer
          ? undefined
          : `issuer: ${JSON.stringify(said['issuer'])}, and the check was given ${JSON.stringify(issuer)}`,
    },
    'pkce-listed': {
      promise: 'The metadata lists PKCE with S256',
      fix: 'Support S256 and list it (RFC 8414).',
      find({ code_challenge_methods_supported: methods }) {
        if (methods === undefined)
          return note('it names no method: latchkey sends S256 to every provider', 'List S256 (RFC 8414).')
        const isListed = Array.isArray(methods) && methods.includes('S256')
        return isListed ? undefined : `code_challenge_methods_supported: ${JSON.stringify(methods)}`
      },
    },
    endpoints: {
      promise: 'The metadata names both endpoints of a sign-in',
      fix: 'Name authorization_endpoint and token_endpoint by their full addresses.',
      find() {
        const names = ['authorization_endpoint', 'token_endpoint']
        return names.every(endpoint)
          ? undefined
          : names.map((name) => `${name}: ${endpoint(name) ?? 'absent'}`).join(', ')
      },
    },
  })
  const authorize = endpoint('authorization_endpoint')
  const token = endpoint('token_endpoint')
  if (authorize === undefined || token === undefined) return undefined
  const pushEndpoint = endpoint('pushed_authorization_request_endpoint')
  return {
    ...subject,
    kind: 'oidc',
    issuer,
    authorize,
    isNamed: metadata['authorization_response_iss_parameter_supported'] === true,
    push: metadata['require_pushed_authorization_requests'] === true ? pushEndpoint : undefined,
    pushEndpoint,
    token,
    userInfo: endpoint('userinfo_endpoint'),
    logout: endpoint('end_session_endpoint'),
  }
}
