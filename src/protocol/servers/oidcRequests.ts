// The form of the requests to an OpenID Connect provider: none needs a CORS preflight, and what failed says what to set.
import { unexpectedStatus } from '../../errors.ts'
import { metadataElsewhere, noMetadata } from './oidcErrors.ts'
import type { OidcSettings } from './oidcOptions.ts'
import type { WireRequest } from './profile.ts'

export type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>

/** Sets what is given, in place of what stood there; a list stands there item by item. */
export function withParameters(target: URLSearchParams, given: Parameters): URLSearchParams {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    target.delete(name)
    for (const item of [value].flat()) target.append(name, item)
  }
  return target
}

/** A form without further headers needs no CORS preflight. */
export const formRequest = (
  url: string,
  body: Parameters,
  secrets: readonly string[],
  settings: OidcSettings,
): WireRequest => ({
  what: whatOf('POST', url),
  method: 'POST',
  url,
  headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
  body: withParameters(new URLSearchParams(), body).toString(),
  cache: 'no-store',
  secrets,
  networkRemedy: networkRemedy(settings),
})

/** A read without a token; whoever sends it may add one. */
export const getRequest = (url: string, settings: OidcSettings): WireRequest => ({
  what: whatOf('GET', url),
  method: 'GET',
  url,
  headers: { accept: 'application/json' },
  cache: 'no-store',
  secrets: [],
  networkRemedy: networkRemedy(settings),
})

/** The metadata; where it is at another address, the error says so. */
export const discoveryRequest = (url: string, settings: OidcSettings): WireRequest => {
  const request = getRequest(url, settings)
  return {
    ...request,
    seesRedirects: true,
    refused: (refusal) =>
      refusal.status === 0
        ? metadataElsewhere(url)
        : refusal.status === 404
          ? noMetadata(url)
          : unexpectedStatus(request.what, refusal),
  }
}

export const whatOf = (method: string, url: string) => `${method} ${new URL(url).pathname}`

const networkRemedy = ({ originSetting = 'the allowed origins' }: OidcSettings) =>
  `Try again. If it repeats: the provider is down or at another address, wants the origin of this page in ${originSetting} (CORS), or is not in connect-src of the page's CSP.`
