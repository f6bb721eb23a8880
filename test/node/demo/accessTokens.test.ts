// The access tokens of the demo's real-time service: what it has written opens, and nothing that was changed on the way.

// @module-tag thorough

import { decode, encode } from 'cborg'
import { expect, it } from 'vitest'
import { createAccessTokens } from '../../../demo/realtimeServer/accessTokens.ts'

const tokens = createAccessTokens(() => 1_000_000)
const token = tokens.grant({ ttlInMinutes: 1, authorizedUuid: 'anna', channels: { news: { read: true } } })
const said = (text: string | undefined) =>
  tokens.refusal({ operation: 'read', channels: ['news'], uuid: 'anna', token: text })?.message
const bytes = Buffer.from(token, 'base64url')
const rewritten = (change: object) =>
  Buffer.from(encode({ ...(decode(bytes) as object), ...change })).toString('base64url')
/** One entry more, before all that is signed: `__proto__`, an empty map. */
const withPrototype = Buffer.concat([
  Buffer.from([bytes[0]! + 1, 0x69]),
  Buffer.from('__proto__'),
  Buffer.from([0xa0]),
  bytes.subarray(1),
]).toString('base64url')

it('lets in whom it was written for', () => {
  expect(said(token)).toBeUndefined()
})

it.each([
  ['no token', undefined, 'Missing token'],
  ['no CBOR', 'hello', 'Token is invalid'],
  ['no map', Buffer.from(encode(['v', 2])).toString('base64url'), 'Token is invalid'],
  ['null', Buffer.from(encode(null)).toString('base64url'), 'Token is invalid'],
  ['another user', rewritten({ uuid: 'ben' }), 'Token is invalid'],
  ['a longer life', rewritten({ ttl: 9_999 }), 'Token is invalid'],
  ['an entry more', rewritten({ extra: 1 }), 'Token is invalid'],
  ['an entry that is no entry of the object', withPrototype, 'Token is invalid'],
  ['cut short', token.slice(0, -4), 'Token is invalid'],
  ['bytes behind it', `${token}AAAA`, 'Token is invalid'],
  ['ten thousand levels', Buffer.alloc(10_000, 0x81).toString('base64url'), 'Token is invalid'],
])('refuses %s', (_what, text, message) => {
  expect(said(text)).toBe(message)
})
