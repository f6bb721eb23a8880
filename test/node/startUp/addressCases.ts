// Generates the addresses that a page may be opened with: parameters of ours, of other products and of nobody, and every odd byte.
import * as fc from 'fast-check'
import { FAKE_START_MS } from '../../../src/testing/fakeBrowser.ts'
import { createAccessToken, createJwt } from '../../../src/testing/tokens.ts'

export const ORIGIN = 'https://app.test'
/** State of the record that may lie in session storage. */
export const OWN_STATE = 'OwnSt8'
const past = FAKE_START_MS / 1000 - 10_000

/** Tokens for this app. */
export const FITTING = {
  usable: createAccessToken({ userId: 'mallory', jti: 'jti of the address/+&=' }),
  expired: createAccessToken({ iat: past, exp: past + 600 }),
  withoutJti: createAccessToken({ jti: undefined } as never),
  ofManyAudiences: createAccessToken({ aud: ['other', 'admin'], jti: 'jti-many' }),
  numericIds: createAccessToken({ userId: 7, firmId: 8, jti: 'jti-7' }),
}

/** Values that look like one and are not. */
export const UNFITTING = [
  createAccessToken({ aud: 'another product' }),
  createAccessToken({ aud: undefined } as never),
  createAccessToken({ aud: 'ADMIN' }),
  createAccessToken({ aud: ['admin,other'] }),
  createAccessToken({ firmId: undefined } as never),
  createAccessToken({ userId: undefined } as never),
  createAccessToken({ userId: null, firmId: null } as never),
  createJwt(null),
  createJwt([1]),
  createJwt('admin'),
  createJwt({ userId: {}, firmId: 'f', aud: 'admin' }),
  createAccessToken({ filler: 'x'.repeat(16_400) }),
  createAccessToken().split('.').slice(0, 2).join('.'),
  `${createAccessToken()}.more`,
  `%20${createAccessToken()}`,
  `Bearer+${createAccessToken()}`,
  createAccessToken().replace('.', '.%00'),
  createAccessToken().replace('.', '.='),
  'eyJ.eyJ.x',
  '..',
  '',
  '1',
  'null',
  '%',
  '%E0%A4%A',
]

export const TOKEN_NAMES = ['access_token', 'auth', 'authToken', 'token', 'jwt', 'acces%73_token', '%6Awt']
const OTHER_NAMES = ['Token', 'tokens', 'id_token', 'access-token', 'authtoken', '?token', 'token[]', 'x']

/** One piece of a query, and whether it is a token for this app. */
export interface Piece {
  readonly text: string
  readonly token?: keyof typeof FITTING
}

const odd = fc.stringMatching(/^[A-Za-z0-9%+=._~!$()*,;:@/?\\[\]{}|^`-]{0,12}$/)
const foreign: fc.Arbitrary<Piece> = fc
  .oneof(
    // Whatever it is, it is not a value under one of our names.
    { weight: 6, arbitrary: odd.map((text) => (/=.*\./.test(text) ? 'a=b' : text)) },
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.constantFrom(...TOKEN_NAMES), fc.constantFrom(...UNFITTING))
        .map(([name, value]) => `${name}=${value}`),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom(...OTHER_NAMES), fc.constantFrom(...Object.values(FITTING)))
        .map(([name, value]) => `${name}=${value}`),
    },
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        'code=of-another',
        'state=Zz9Zz9',
        'state=__proto__',
        'state=constructor',
        'iss=https://auth.test',
        'error=access_denied',
        'error_description=%3Cimg%20onerror=1%3E',
        'session_state=1',
        `state=${OWN_STATE}x`,
        'code=',
        'state=',
      ),
    },
  )
  .map((text) => ({ text }))
const token: fc.Arbitrary<Piece> = fc
  .tuple(
    fc.constantFrom(...TOKEN_NAMES),
    fc.constantFrom(...(Object.keys(FITTING) as (keyof typeof FITTING)[])),
  )
  .map(([name, kind]) => ({ text: `${name}=${FITTING[kind]}`, token: kind }))

// Every browser takes a path step that is a dot, or '%2e', out of an address before anybody can read it.
const path = fc
  .stringMatching(/^(\/[a-z0-9%_~!$&()*+,;:=@-]{1,6}){0,4}\/?$/)
  .map((text) => new URL(ORIGIN + text).pathname)
const hash = fc.oneof(
  fc.constant(''),
  fc.constantFrom('#', '#/route?code=1&state=2', `#access_token=${FITTING.usable}`, '#code=x&state=OwnSt8'),
  fc.stringMatching(/^[A-Za-z0-9%+=&?#/!.-]{0,20}$/).map((text) => `#${text}`),
)

/** An address in parts, so that a test can say what is to become of each. */
export interface AddressCase {
  readonly path: string
  readonly pieces: readonly Piece[]
  readonly hash: string
  /** Whether a record of ours lies under `OWN_STATE`, and in which condition. */
  readonly record: 'none' | 'good' | 'old' | 'other host' | 'other client' | 'other redirectUri' | 'broken'
  /** Whether code and state of that record stand in the address. */
  readonly answer: 'none' | 'whole' | 'without code' | 'code twice' | 'state twice' | 'error'
  readonly hasSession: boolean
}

export const addressCase: fc.Arbitrary<AddressCase> = fc.record({
  path,
  pieces: fc.array(fc.oneof({ weight: 5, arbitrary: foreign }, { weight: 1, arbitrary: token }), {
    maxLength: 6,
  }),
  hash,
  record: fc.constantFrom(
    'none',
    'good',
    'good',
    'old',
    'other host',
    'other client',
    'other redirectUri',
    'broken',
  ),
  answer: fc.constantFrom('none', 'none', 'whole', 'without code', 'code twice', 'state twice', 'error'),
  hasSession: fc.boolean(),
})

const ANSWERS: Record<AddressCase['answer'], readonly string[]> = {
  none: [],
  whole: ['code=of-the-address', `state=${OWN_STATE}`],
  'without code': [`state=${OWN_STATE}`],
  'code twice': ['code=of-the-address', `state=${OWN_STATE}`, 'code=of-the-address'],
  'state twice': ['code=of-the-address', `state=${OWN_STATE}`, `state=${OWN_STATE}`],
  error: ['error=server_error', `state=${OWN_STATE}`],
}

/** The pieces of the query as they stand in the address. */
export const allPieces = ({ pieces, answer }: AddressCase): readonly Piece[] => [
  ...pieces.slice(0, 2),
  ...ANSWERS[answer].map((text) => ({ text })),
  ...pieces.slice(2),
]

export const join = (path: string, pieces: readonly Piece[], hash: string): string =>
  `${ORIGIN}${path}${pieces.length > 0 ? `?${pieces.map(({ text }) => text).join('&')}` : ''}${hash}`

export const addressOf = (one: AddressCase): string => join(one.path, allPieces(one), one.hash)

/** An address somewhere in the app, with names of ours as values and every odd byte; no token for this app. */
export const deepLink: fc.Arbitrary<string> = fc
  .tuple(path, fc.array(foreign, { maxLength: 5 }), hash)
  .map((parts) => join(...parts))

/** Where the record says the user was. */
export const RETURN_TO = '/was/here?x=%20a+b&token=kept&state=open&code=DE&iss=1&error=none#code=y'

/** What lies in session storage. */
export function storedOf(one: AddressCase): Record<string, string> {
  if (one.record === 'none') return {}
  const attempt = {
    verifier: 'v'.repeat(64),
    authHost: one.record === 'other host' ? 'https://evil.test' : 'https://auth.test',
    clientId: one.record === 'other client' ? 'another' : 'admin',
    redirectUri: one.record === 'other redirectUri' ? 'https://app.test/cb' : 'https://app.test/',
    returnTo: one.record === 'broken' ? 'https://evil.test/' : RETURN_TO,
    createdAtMs: FAKE_START_MS - (one.record === 'old' ? 600_001 : 1000),
  }
  return { 'latchkey https://auth.test admin tab': JSON.stringify({ attempts: { [OWN_STATE]: attempt } }) }
}

const ANSWER_NAMES = /^(code|state|iss|error|error_description|error_uri|session_state)$/

interface Answer {
  code: string | undefined
  isError: boolean
}

/** The answer in the address, when it is ours and in time: known from how it was made, not from reading it. */
export const ownAnswer = (one: AddressCase): Answer | undefined =>
  one.record === 'good' ? knownAnswer(one) : undefined

const membersOf = (one: AddressCase) =>
  allPieces(one)
    .map(({ text }) => text.split('=') as [string, string])
    .filter(([name]) => ANSWER_NAMES.test(name))

/** Also one that comes too late: it goes out of the address, and is of no use. */
export function knownAnswer(one: AddressCase): Answer | undefined {
  if (one.record !== 'good' && one.record !== 'old') return undefined
  const answer = membersOf(one)
  const members = new Map(answer)
  const [code, error] = [members.get('code') || undefined, members.get('error') || undefined]
  // A parameter of an answer that comes twice makes it nobody's.
  const isWhole = members.size === answer.length && members.get('state') === OWN_STATE && (code ?? error)
  return isWhole ? { code, isError: error !== undefined } : undefined
}

/** A code for another tab, with its issuer, while this one waits for its own: the place of this one is put back. */
function isOfAnotherTab(one: AddressCase): boolean {
  if ((one.record !== 'good' && one.record !== 'other client') || one.path !== '/') return false
  const answer = membersOf(one)
  const members = new Map(answer)
  const isWhole = members.size === answer.length && members.get('code') && members.has('iss')
  return Boolean(isWhole) && members.get('state') === 'Zz9Zz9'
}

/** What the address bar is to show after start-up. */
export function expectedAddress(one: AddressCase): string {
  if (knownAnswer(one) || isOfAnotherTab(one)) return ORIGIN + RETURN_TO
  const pieces = allPieces(one)
  const kept = pieces.filter((piece) => piece.token === undefined)
  return kept.length === pieces.length ? addressOf(one) : join(one.path, kept, one.hash)
}

/** The `jti` that is to be passed through, when nobody is signed in. */
export function expectedJti(one: AddressCase): string | undefined {
  if (knownAnswer(one) || isOfAnotherTab(one)) return undefined
  const tokens = one.pieces.flatMap((piece) => piece.token ?? [])
  if (tokens.length !== 1) return undefined
  return { usable: 'jti of the address/+&=', ofManyAudiences: 'jti-many', numericIds: 'jti-7' }[
    tokens[0] as string
  ]
}
