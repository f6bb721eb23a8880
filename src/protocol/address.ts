// Takes the query of an address apart and puts it together again, every other byte as it was (contract §4 "answer", "passthrough").
import { LARGEST_ADDRESS_TOKEN_LENGTH } from '../constants.ts'

/** Parameters of an authorization answer. */
export const ANSWER_PARAMETERS: readonly string[] = [
  'code',
  'state',
  'iss',
  'error',
  'error_description',
  'error_uri',
  'session_state',
]

/** Parameters of an address in which a token may be found (spec §2). */
export const TOKEN_PARAMETERS: readonly string[] = ['access_token', 'auth', 'authToken', 'token', 'jwt']

/** Whether a value could be a token: three parts of base64url, 16 KB at most. */
export const isTokenShaped = (value: string): boolean =>
  value.length <= LARGEST_ADDRESS_TOKEN_LENGTH && /^[\w-]+(\.[\w-]+){2}$/.test(value)

/** An address in three parts; the query with its question mark, the hash with its sign. */
export function splitAddress(address: string): [path: string, query: string, hash: string] {
  const [, path = '', query = '', hash = ''] = /^([^?#]*)(\?[^#]*)?(.*)$/s.exec(address)!
  return [path, query, hash]
}

/** The pieces of the query as they stand: 'name=value'. */
export const parameterPieces = (address: string): string[] => splitAddress(address)[1].slice(1).split('&')

/** Name and value of a piece, decoded. */
export const readPiece = (piece: string): readonly [name: string, value: string] =>
  // With a question mark of its own: one that the piece begins with belongs to the name.
  [...new URLSearchParams(`?${piece}`)][0] ?? ['', '']

/** The address without some pieces of its query. */
export function withoutPieces(address: string, unwanted: readonly string[]): string {
  if (unwanted.length === 0) return address
  const [path, , hash] = splitAddress(address)
  // A set: an address may be made of nothing but tokens.
  const dropped = new Set(unwanted)
  const kept = parameterPieces(address).filter((piece) => !dropped.has(piece))
  return path + (kept.length > 0 ? `?${kept.join('&')}` : '') + hash
}
