// Removes parameters from the query of a URL and leaves every other byte unchanged.
import { LARGEST_ADDRESS_TOKEN_LENGTH } from '../base/constants.ts'

/** Parameters of an authorization response (RFC 6749 §4.1.2, RFC 9207). */
export const ANSWER_PARAMETERS: readonly string[] = [
  'code',
  'state',
  'iss',
  'error',
  'error_description',
  'error_uri',
  'session_state',
]

/** Query parameters that may carry a token. */
export const TOKEN_PARAMETERS: readonly string[] = ['access_token', 'auth', 'authToken', 'token', 'jwt']

/** Whether a value has the form of a JWT: three parts of base64url, at most 16 KB. */
export const isTokenShaped = (value: string): boolean =>
  value.length <= LARGEST_ADDRESS_TOKEN_LENGTH && /^[\w-]+(\.[\w-]+){2}$/.test(value)

/** Splits a URL in three. The query keeps its `?`, the hash its `#`. */
export function splitAddress(address: string): [path: string, query: string, hash: string] {
  const [, path = '', query = '', hash = ''] = /^([^?#]*)(\?[^#]*)?(.*)$/s.exec(address)!
  return [path, query, hash]
}

/**
 * Removes parameters from the query.
 *
 * @param isUnwanted gets them decoded, and as they stand in the URL
 */
export function withoutParameters(
  address: string,
  isUnwanted: (name: string, value: string, piece: string) => boolean,
): string {
  const [path, query, hash] = splitAddress(address)
  const pieces = query.slice(1).split('&')
  // Decoded together, because a URL may have a million. Empty pieces are no parameters.
  const read = [...new URLSearchParams(query)]
  let count = 0
  const kept = pieces.filter((piece) => piece === '' || !isUnwanted(...read[count++]!, piece))
  if (kept.length === pieces.length) return address
  return path + (kept.length > 0 ? `?${kept.join('&')}` : '') + hash
}

export const withoutTokens = (address: string): string =>
  withoutParameters(address, (name, value) => TOKEN_PARAMETERS.includes(name) && isTokenShaped(value))

export function hasAnswer(address: string): boolean {
  const parameters = new URLSearchParams(splitAddress(address)[1])
  return parameters.has('state') && (parameters.has('code') || parameters.has('error'))
}

/** Parameters of a response that are not of the protocol. */
export const furtherParameters = (address: string): Readonly<Record<string, string>> =>
  Object.fromEntries([...new URL(address).searchParams].filter(([name]) => !ANSWER_PARAMETERS.includes(name)))

export const withoutAnswer = (address: string): string =>
  withoutParameters(address, (name) => ANSWER_PARAMETERS.includes(name))

/** Start-up leaves the response to another page's request in the URL. This removes it. */
export function withoutForeignAnswer(
  address: string,
  readAnswer: (query: string) => { readonly code?: string | undefined } | undefined,
): string {
  const parameters = new URLSearchParams(splitAddress(address)[1])
  // Start-up ignores a repeated parameter. It must not be stored or sent away either.
  const code = parameters.getAll('code').join('')
  const isCode = parameters
    .getAll('state')
    .some((state) => readAnswer(`?${new URLSearchParams({ code, state })}`)?.code)
  return isCode ? withoutAnswer(address) : address
}
