// The first script of a page: what it takes, what it leaves, and that start-up comes to the same end with it and without it.

import { readFileSync } from 'node:fs'
import { compileFunction } from 'node:vm'
import { gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildEarlyScripts, earlyPage } from '../../../scripts/earlyPage.ts'
import type { EarlyScript } from '../../../scripts/earlyScript.ts'
import type { Early } from '../../../src/session/platform/platform.ts'
import { createAuth } from '../../../src/session/createAuth.ts'
import { createFakeAuthServer } from '../../../src/testing/authServer.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'
import { createFakeStorage } from '../../../src/testing/fakeStorage.ts'
import { createAccessToken } from '../../../src/testing/tokens.ts'
import {
  type AddressCase,
  addressCase,
  addressOf,
  expectedAddress,
  FITTING,
  OWN_STATE,
  ownAnswer,
  storedOf,
  TOKEN_NAMES,
} from '../startUp/addressCases.ts'
import { EARLY, earlyScript } from './earlyScene.ts'
import { CONFIG } from '../session/sessionScene.ts'
import { checkGenerated } from '../../generated.ts'

const TOKEN = createAccessToken({ jti: 'jti-1' })
let early: EarlyScript

beforeAll(async () => {
  early = await earlyScript()
}, 120_000)

interface Page {
  readonly location: { href: string }
  readonly replaced: [state: unknown, title: string, address: string][]
  [EARLY]?: Early
}

interface OpenOptions {
  stored?: Record<string, string>
  isDenied?: boolean
  /** Of the frame that the page is in. Default: it is in none. */
  windowName?: string
}

/** A page of its own in which the script has run. */
function open(address: string, { stored = {}, isDenied = false, windowName = '' }: OpenOptions = {}): Page {
  const location = { href: address }
  const replaced: Page['replaced'] = []
  const history = {
    state: { of: 'the router' },
    replaceState(state: unknown, title: string, next: string) {
      replaced.push([state, title, next])
      location.href = next
    },
  }
  const denied = new Proxy(
    {},
    {
      ownKeys() {
        throw new DOMException('denied', 'SecurityError')
      },
    },
  )
  const page: Page = { location, replaced }
  const window = { name: windowName }
  const inPage = {
    location,
    history,
    sessionStorage: isDenied ? denied : stored,
    globalThis: page,
    document: { currentScript: null },
    window,
    parent: windowName === '' ? window : {},
  }
  compileFunction(early.text, Object.keys(inPage))(...Object.values(inPage))
  return page
}

describe('the script', () => {
  it('is at most 3,700 bytes', () => {
    expect(gzipSync(early.text, { level: 9 }).length).toBeLessThanOrEqual(3_700)
  })

  it('has the size and the hash that the documentation gives: npm run early writes them anew', async () => {
    const page = readFileSync('docs/early.md', 'utf8')
    expect(page).toBe(earlyPage(page, await buildEarlyScripts()))
    expect(page).toContain(early.hash)
  })

  it('does nothing to an address without anything for us', () => {
    const page = open('https://app.test/firms?x=1&code=of-another&state=Zz9Zz9&token=hello#/r')
    expect(page.replaced).toEqual([])
    expect(page[EARLY]?.address).toBeUndefined()
  })

  it('takes a token out, keeps the history state, and gives the address back once', () => {
    const address = `https://app.test/firms?x=%20a+b&token=${TOKEN}&y#/r?token=${TOKEN}`
    const page = open(address)
    expect(page.replaced).toEqual([
      [{ of: 'the router' }, '', `https://app.test/firms?x=%20a+b&y#/r?token=${TOKEN}`],
    ])
    const giveBack = page[EARLY]?.address
    expect(giveBack?.()).toBe(address)
    expect(page[EARLY]?.address).toBeUndefined()
  })

  it('takes code and state of a sign-in that this tab began, whichever client it is of', () => {
    const stored = {
      theme: 'dark',
      'latchkey broken': '{',
      'latchkey https://auth.test other tab': JSON.stringify({
        attempts: { [OWN_STATE]: { verifier: 'v' } },
      }),
    }
    const page = open(`https://app.test/?a=1&code=c&state=${OWN_STATE}&iss=i`, { stored })
    expect(page.location.href).toBe('https://app.test/?a=1')
  })

  it('takes nothing in the hidden frame, whose address the page around it reads', () => {
    const stored = { 'latchkey https://auth.test admin': JSON.stringify({ attempts: { [OWN_STATE]: {} } }) }
    const address = `https://app.test/?code=c&state=${OWN_STATE}&iss=i&token=${TOKEN}`
    expect(open(address, { stored }).location.href).toBe('https://app.test/')
    const page = open(address, { stored, windowName: 'agent-iframe' })
    expect([page.location.href, page[EARLY]?.address]).toEqual([address, undefined])
  })

  it('takes neither from a tab whose storage is denied, and fails at nothing', () => {
    const page = open(`https://app.test/?code=c&state=${OWN_STATE}&jwt=${TOKEN}`, { isDenied: true })
    expect(page.location.href).toBe(`https://app.test/?code=c&state=${OWN_STATE}`)
  })

  it('keeps what it took where a router has gone elsewhere meanwhile', () => {
    const page = open(`https://app.test/cb?token=${TOKEN}&x=1#h`)
    page.location.href = 'https://app.test/dashboard?tab=2#top'
    expect(page[EARLY]?.address?.()).toBe(`https://app.test/dashboard?tab=2&token=${TOKEN}#top`)
    const bare = open(`https://app.test/cb?token=${TOKEN}`)
    bare.location.href = 'https://app.test/cb#/'
    expect(bare[EARLY]?.address?.()).toBe(`https://app.test/cb?token=${TOKEN}#/`)
  })
})

describe('start-up after the script', () => {
  /** The page, its address as the app's own scripts see it, and what becomes of it. */
  async function start(one: AddressCase) {
    const sessionStorage = createFakeStorage(storedOf(one))
    const page = open(addressOf(one), { stored: sessionStorage.entries() })
    const seen = page.location.href
    const server = createFakeAuthServer({ user: undefined })
    const host = createFakeHost(seen, {
      sessionStorage,
      server,
    })
    const auth = createAuth(
      { ...CONFIG, autoLogin: false },
      { platform: { ...host.platform, early: page[EARLY] } },
    )
    void auth.start()
    await host.settle()
    return { seen, host, page }
  }

  it(
    'ends as without it, and no other script sees a code or a token of ours: 3,000 addresses',
    { timeout: 240_000, tags: ['generated'] },
    async () => {
      await checkGenerated(
        'addresses before the early script',
        fc.asyncProperty(fc.array(addressCase, { minLength: 100, maxLength: 100 }), async (cases) => {
          await Promise.all(
            cases.map(async (one) => {
              const { seen, host, page } = await start(one)
              expect(host.address, addressOf(one)).toBe(expectedAddress(one))
              expect(page[EARLY]?.address).toBeUndefined()
              const [query] = seen.slice(seen.indexOf('?')).split('#')
              const parameters = [...new URLSearchParams(query)]
              const tokens = Object.values(FITTING)
              const names = TOKEN_NAMES.map((name) => decodeURIComponent(name))
              expect(
                parameters.filter(([name, value]) => names.includes(name) && tokens.includes(value)),
              ).toEqual([])
              if (ownAnswer(one)) expect(query).not.toContain(OWN_STATE + '&')
              if (ownAnswer(one)?.code) expect(seen).not.toMatch(/[?&]code=of-the-address(?=[&#]|$)/)
            }),
          )
        }),
      )
    },
  )
})
