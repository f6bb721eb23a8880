// Builds the requests to an OpenID Connect provider, without CORS preflights, and with a remedy for network errors.
import { fault, RETRY, unexpectedStatus } from '../../base/errors.ts'
import { noMetadata } from './oidcErrors.ts'
import type { OidcSettings } from './oidcOptions.ts'
import type { WireRequest } from './profile.ts'

export type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>

/** Replaces parameters. A list becomes one parameter per item; `undefined` changes nothing. */
export function withParameters(target: URLSearchParams, given: Parameters): URLSearchParams {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    target.delete(name)
    for (const item of [value].flat()) target.append(name, item)
  }
  return target
}

export const getRequest = (
  url: string,
  { originSetting = 'the allowed origins' }: OidcSettings,
  method: WireRequest['method'] = 'GET',
): WireRequest => ({
  what: whatOf(method, url),
  method,
  url,
  headers: { accept: 'application/json' },
  cache: 'no-store',
  secrets: [],
  networkRemedy: `Try again. If it repeats: the provider is down or at another address, needs this page's origin in ${originSetting} (CORS), or is not in connect-src (CSP).`,
})

export const formRequest = (
  url: string,
  body: Parameters,
  secrets: readonly string[],
  settings: OidcSettings,
): WireRequest => ({
  ...getRequest(url, settings, 'POST'),
  headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
  body: withParameters(new URLSearchParams(), body).toString(),
  secrets,
})

export function discoveryRequest(url: string, settings: OidcSettings): WireRequest {
  const request = getRequest(url, settings)
  return {
    ...request,
    seesRedirects: true,
    networkRemedy: `Open ${url} in a tab: if it shows no JSON, correct the issuer. ${request.networkRemedy}`,
    refused(refusal) {
      if (refusal.status === 404) return noMetadata(url)
      if (refusal.status !== 0) return unexpectedStatus(request.what, refusal)
      // A page cannot see where to.
      return fault(
        'invalid-metadata',
        `${url} redirects to another address`,
        'Open it in a browser, and set discoveryUrl to where it ends.',
        RETRY,
      )
    },
  }
}

export const whatOf = (method: string, url: string) =>
  `${method} ${url.replace(/^https?:\/\/[^/]+|\?.*/g, '')}`
