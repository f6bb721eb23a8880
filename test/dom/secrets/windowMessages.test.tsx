// Whatever is posted to the window, from whatever origin, window, shape and moment: the frame and the popup hear their own server only.
import { CONNECTED } from '../../node/session/sessionScene.ts'

// @module-tag generated

import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { parseConfig } from '../../../src/protocol/config.ts'
import { isCloseMessage } from '../../../src/protocol/popups.ts'
import { createBrowserPlatform } from '../../../src/session/platform/browserPlatform.ts'
import { openWindow } from '../../../src/session/platform/browserPopup.ts'
import { createTabRecords } from '../../../src/session/signIn/tabRecords.ts'
import { askInFrame } from '../../../src/session/signIn/hiddenFrame.ts'
import { checkGenerated } from '../../generated.ts'

const AUTH = 'https://auth.test'
const settings = parseConfig({ authHost: AUTH, clientId: 'admin', scopes: [] })
const platform = createBrowserPlatform()
const AT_ONCE = { minLength: 200, maxLength: 200 }

const origins = [
  AUTH,
  AUTH,
  AUTH,
  'https://auth.test/',
  'https://AUTH.test',
  'http://auth.test',
  'https://auth.test:444',
  'https://auth.test.evil.test',
  'https://evil.test',
  'auth.test',
  location.origin,
  'null',
  '',
] as const
type Source = 'the window' | 'the page itself' | 'another window' | 'nobody'
const sources: readonly Source[] = ['the window', 'the window', 'the page itself', 'another window', 'nobody']

let listeners: { type: string; listener: unknown }[] = []
let uncaught: unknown[] = []
const onError = (event: ErrorEvent) => uncaught.push(event.error)

beforeEach(() => {
  const [add, remove] = [window.addEventListener, window.removeEventListener]
  listeners = []
  uncaught = []
  vi.spyOn(window, 'addEventListener').mockImplementation((...parameters: Parameters<typeof add>) => {
    listeners.push({ type: parameters[0], listener: parameters[1] })
    add.apply(window, parameters)
  })
  vi.spyOn(window, 'removeEventListener').mockImplementation((...parameters: Parameters<typeof remove>) => {
    listeners = listeners.filter(({ type, listener }) => type !== parameters[0] || listener !== parameters[1])
    remove.apply(window, parameters)
  })
  addEventListener('error', onError)
})
afterEach(() => {
  removeEventListener('error', onError)
  document.body.replaceChildren()
})

function openOtherWindow(): Window {
  const other = document.createElement('iframe')
  document.body.append(other)
  return other.contentWindow!
}

function post(data: unknown, from: { origin: string; source: Source; own: Window; other: Window }): void {
  const { origin, own, other } = from
  const source = { 'the window': own, 'the page itself': window, 'another window': other, nobody: null }[
    from.source
  ]
  window.dispatchEvent(new MessageEvent('message', { data, origin, source }))
}

describe('the hidden frame', () => {
  const member = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('c1', 'STATE', 'login_required') },
    fc.anything(),
  )
  const response = fc.record(
    { code: member, error: member, state: member, iss: member },
    { requiredKeys: ['state'] },
  )
  const message = fc.record({
    origin: fc.constantFrom(...origins),
    source: fc.constantFrom(...sources),
    data: fc.oneof(
      {
        weight: 2,
        arbitrary: fc.constant({ type: 'authorization_response', response: { code: 'c1', state: 'STATE' } }),
      },
      {
        weight: 3,
        arbitrary: fc.record({ type: fc.constantFrom('authorization_response', 'other'), response }),
      },
      { weight: 1, arbitrary: fc.anything() },
    ),
  })
  interface Answer {
    type?: unknown
    response?: { state?: unknown; code?: unknown; error?: unknown }
  }
  const isText = (value: unknown) => typeof value === 'string' && value !== '' && value.length <= 4096
  // Written once more from the threat table, not from the code: right origin, right window, right shape, right state.
  const isRight = ({ origin, source, data }: { origin: string; source: Source; data: unknown }) => {
    if (origin !== AUTH || source !== 'the window' || typeof data !== 'object' || data === null) return false
    const { type, response: inner } = data as Answer
    const isOwn = Object.hasOwn(data, 'type') && Object.hasOwn(data, 'response')
    if (!isOwn || type !== 'authorization_response' || typeof inner !== 'object' || inner === null)
      return false
    const has = (name: 'state' | 'code' | 'error') => Object.hasOwn(inner, name) && isText(inner[name])
    return has('state') && inner.state === 'STATE' && (has('code') || has('error'))
  }

  it(
    'is answered by its own server, once, and leaves no listener, whatever is posted',
    { timeout: 240_000 },
    async () => {
      let heardCount = 0
      const options = {
        settings,
        platform: { ...platform, isOnline: () => true },
        tabRecords: createTabRecords(platform.sessionStorage, settings),
        server: CONNECTED,
        reachability: { heard() {}, begin: () => ({ check: async () => {} }) },
        tokens: { current: undefined },
        redirectUri: () => 'https://app.test/',
      }
      const other = openOtherWindow()
      await checkGenerated(
        'messages to the window',
        fc.asyncProperty(fc.array(message, AT_ONCE), async (messages) => {
          const before = listeners.length
          const ended = new AbortController()
          const asking = askInFrame(options, ended.signal).then(
            ({ answer }) => answer,
            () => undefined,
          )
          await vi.waitFor(() => expect(document.getElementsByName('agent-iframe')).toHaveLength(1), {
            interval: 1,
            timeout: 20_000,
          })
          const frame = document.getElementsByName('agent-iframe')[0] as HTMLIFrameElement
          const state = new URL(frame.src).searchParams.get('state')
          // The state is drawn anew for each frame: the word STATE stands for it.
          const withState = (data: unknown): unknown => {
            if (typeof data !== 'object' || data === null) return data
            const inner = (data as Answer).response
            return typeof inner === 'object' && inner !== null && inner.state === 'STATE'
              ? { ...data, response: { ...inner, state } }
              : data
          }
          for (const one of messages) post(withState(one.data), { ...one, own: frame.contentWindow!, other })
          // Whoever was not answered by now is not answered any more.
          ended.abort(new Error('over'))
          const answer = await asking
          const first = messages.find(isRight)
          expect(answer !== undefined).toBe(first !== undefined)
          if (first) heardCount += 1
          const { code } = (first?.data as Answer | undefined)?.response ?? {}
          if (first) expect(answer).toMatchObject({ state, code: isText(code) ? code : undefined })
          expect(document.getElementsByName('agent-iframe')).toHaveLength(0)
          expect(listeners).toHaveLength(before)
          expect(uncaught).toEqual([])
        }),
      )
      expect(heardCount).toBeGreaterThan(0)
    },
  )
})

describe('a popup', () => {
  const closing = fc.constantFrom<unknown[]>(
    'closeMe',
    { type: 'closeMe' },
    { name: 'closeMe' },
    { message: 'closeMe' },
  )
  const message = fc.record({
    origin: fc.constantFrom(...origins),
    source: fc.constantFrom(...sources),
    data: fc.oneof(
      closing,
      fc.constantFrom<unknown[]>(
        'closeme',
        ' closeMe',
        ['closeMe'],
        { type: ['closeMe'] },
        { data: 'closeMe' },
      ),
      fc.anything(),
    ),
  })

  it('is ended by its own window and origin only: 10,000 messages', { timeout: 240_000 }, async () => {
    const [own, other] = [openOtherWindow(), openOtherWindow()]
    vi.spyOn(window, 'open').mockReturnValue(own)
    let heardCount = 0
    await checkGenerated(
      'messages to a popup',
      fc.property(fc.array(message, AT_ONCE), (messages) => {
        const before = listeners.length
        const heard: unknown[] = []
        const popup = openWindow(
          { monotonicNow: () => 0, on: () => () => {} },
          {
            name: 'link',
            url: `${AUTH}/cloudprovider/link`,
            origin: AUTH,
            listen: (data) => void (isCloseMessage(data) && heard.push(data)),
          },
        )
        for (const one of messages) post(one.data, { ...one, own, other })
        popup?.close()
        for (const one of messages) post(one.data, { ...one, own, other })
        const isClosing = (data: unknown) =>
          data === 'closeMe' ||
          (typeof data === 'object' &&
            data !== null &&
            ['type', 'name', 'message'].some(
              (name) => Object.hasOwn(data, name) && Reflect.get(data, name) === 'closeMe',
            ))
        const meant = messages.filter(
          (one) => one.origin === AUTH && one.source === 'the window' && isClosing(one.data),
        )
        expect(heard).toEqual(meant.map(({ data }) => data))
        heardCount += heard.length
        expect(listeners).toHaveLength(before)
        expect(uncaught).toEqual([])
      }),
    )
    expect(heardCount).toBeGreaterThan(0)
  })
})
