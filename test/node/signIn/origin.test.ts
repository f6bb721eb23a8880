// Where the user may be sent after signing in: only to this app, whatever the address looks like.
import { describe, expect, it } from 'vitest'
import {
  isLoopback,
  isSafeUrl,
  parseUrl,
  storedPath,
  parseOrigin,
  sameOriginPath,
} from '../../../src/protocol/origin.ts'
import { sameId } from '../../../src/protocol/identity.ts'

const BASE = 'https://app.test/firms?page=2'

const EVIL = [
  'evil.test',
  'app.test.evil.test',
  'evil.test/app.test',
  'app.test@evil.test',
  '127.0.0.1',
  '[::1]',
]
const TRICKS = [
  (host: string) => `https://${host}`,
  (host: string) => `http://${host}`,
  (host: string) => `//${host}`,
  (host: string) => `///${host}`,
  (host: string) => `////${host}/..`,
  (host: string) => `/\\${host}`,
  (host: string) => `\\\\${host}`,
  (host: string) => `\\/${host}`,
  (host: string) => `/\t/${host}`,
  (host: string) => `/\n/${host}`,
  (host: string) => `\t//${host}`,
  (host: string) => ` //${host}`,
  (host: string) => `https:/\t/${host}`,
  (host: string) => `ht\ntps://${host}`,
  (host: string) => `https:\\\\${host}`,
  (host: string) => `https://app.test\\@${host}`,
  (host: string) => `https://app.test@${host}`,
  (host: string) => `https://app.test:443@${host}`,
  (host: string) => `https://app.test%40${host}`,
  (host: string) => `https://app.test.${host}`,
  (host: string) => `wss://${host}`,
  (host: string) => `ftp://${host}`,
  (host: string) => `javascript://${host}/%0aalert(1)`,
  (host: string) => `blob:https://${host}/1`,
  (host: string) => `view-source:https://${host}`,
  (host: string) => `file://${host}/share`,
  (host: string) => `data:text/html,${host}`,
  (host: string) => `\u0000//${host}`,
]
const HOSTILE = EVIL.flatMap((host) => TRICKS.map((trick) => trick(host)))

describe('an endpoint of a server', () => {
  it.each([
    'https://auth.test',
    'https://auth.test:8443/oauth/token?tenant=7',
    'http://localhost:4000/token',
  ])('may be %j', (url) => {
    expect(isSafeUrl(url)).toBe(true)
  })

  it.each<[unknown]>([
    ['http://auth.test/token'],
    ['https://['],
    ['https://auth.test:99999/'],
    ['https://me@auth.test/'],
    ['https://:secret@auth.test/'],
    ['https://auth.test/#a'],
    ['https://auth.test/a b'],
    [String.raw`https:\\auth.test`],
    ['HTTPS://auth.test/'],
    ['https:auth.test'],
    ['//auth.test'],
    ['javascript://auth.test/'],
    ['wss://auth.test/'],
    [''],
    [7],
    [['https://auth.test']],
    [undefined],
  ])('is never %j', (url) => {
    expect(isSafeUrl(url)).toBe(false)
  })
})

describe('a return address', () => {
  it(`never leads away from this app: ${HOSTILE.length} known tricks are refused`, () => {
    expect(HOSTILE.filter((address) => sameOriginPath(address, BASE) !== undefined)).toEqual([])
    expect(HOSTILE.length).toBeGreaterThanOrEqual(150)
  })

  it.each<[unknown]>([
    [undefined],
    [null],
    [7],
    [{}],
    [new URL('https://app.test/')],
    ['javascript:alert(1)'],
    ['JAVASCRIPT:alert(1)'],
    ['java\tscript:alert(1)'],
    ['vbscript:x'],
    ['about:blank'],
    ['blob:https://app.test/1'],
    ['data:text/html,<script>'],
    ['https://app.test:8443/'],
    ['http://app.test/'],
    ['https://APP.test.'],
    ['https://['],
    ['https://%'],
    ['https:// app.test'],
    ['/a b'],
    ['/a\u0007b'],
  ])('%o is refused', (address) => {
    expect(sameOriginPath(address, BASE)).toBeUndefined()
  })

  it.each([
    ['', '/firms?page=2'],
    ['/', '/'],
    ['/firms/7?tab=a%20b#x', '/firms/7?tab=a%20b#x'],
    ['https://app.test/firms', '/firms'],
    ['https://app.test', '/'],
    ['HTTPS://APP.TEST/Firms', '/Firms'],
    ['https://app.test:443/x', '/x'],
    ['?page=3', '/firms?page=3'],
    ['#top', '/firms?page=2#top'],
    ['other', '/other'],
    ['../x', '/x'],
    ['/%2f%2fevil.test', '/%2f%2fevil.test'],
    ['/redirect?to=https://evil.test', '/redirect?to=https://evil.test'],
    ['https:evil.test', '/evil.test'],
  ])('%s is the path %s of this app', (address, path) => {
    expect(sameOriginPath(address, BASE)).toBe(path)
  })

  it('is refused on a page without an origin of its own', () => {
    expect(sameOriginPath('', 'data:text/html,x')).toBeUndefined()
  })
})

describe('a return address that lay in a storage', () => {
  it.each(['/', '/firms?page=2#x', '//two/slashes', '/a?q=\\d#\\w', '/%C3%BC'])(
    '%s is taken back as it was',
    (path) => {
      expect(storedPath(path, 'https://app.test')).toBe(path)
    },
  )

  it.each<[unknown]>([
    [undefined],
    [null],
    [7],
    [[]],
    [''],
    ['firms'],
    ['.evil.test/'],
    ['@evil.test/'],
    [':8443/'],
    ['https://evil.test/'],
    ['/../x'],
    ['/a b'],
    ['/a\n'],
    ['/\\evil.test'],
    ['javascript:alert(1)'],
  ])('%o, which was never stored by this app, is refused', (path) => {
    expect(storedPath(path, 'https://app.test')).toBeUndefined()
  })
})

it.each([
  ['localhost', true],
  ['auth.localhost', true],
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['[::1]', true],
  ['localhost.evil.test', false],
  ['notlocalhost', false],
  ['127.0.0.1.evil.test', false],
  ['128.0.0.1', false],
  ['[::2]', false],
  ['', false],
])('%s is this machine: %s', (hostname, isLocal) => {
  expect(isLoopback(hostname)).toBe(isLocal)
})

it('a text that is no address is undefined, not an exception', () => {
  expect(parseUrl('https://[')).toBeUndefined()
  expect(parseUrl(7)).toBeUndefined()
  expect(parseUrl('/x', 'https://app.test')?.href).toBe('https://app.test/x')
})

describe('origins and ids', () => {
  it.each(['ws://localhost', 'ftp://127.0.0.1', 'ftp://localhost:21', 'wss://auth.test', 'http://auth.test'])(
    '%s is no origin of ours, on this machine either',
    (origin) => {
      expect(parseOrigin(origin)).toBeUndefined()
    },
  )
  it.each(['https://auth.test', 'http://localhost:8080', 'http://127.0.0.1', 'http://[::1]:8080'])(
    '%s is one',
    (origin) => {
      expect(parseOrigin(origin)).toBe(origin)
    },
  )
  it('what is no text is no address', () => {
    for (const value of [7, null, undefined, {}, ['/a'], new URL('https://app.test/a')])
      expect(sameOriginPath(value, 'https://app.test/')).toBeUndefined()
  })
  it('an id that is written like nothing is not nothing', () => {
    expect([sameId('undefined', undefined), sameId(undefined, 'undefined'), sameId(7, '7')]).toEqual([
      false,
      false,
      true,
    ])
  })
})
