// Servers that keep sending the browser round: after three automatic redirects the user sees why, and a button (F48, G9).
import { describe, expect, it } from 'vitest'
import type { AuthConfig } from '../../../src/protocol/config.ts'
import type { FakeFrame } from '../../../src/testing/fakeWindows.ts'
import { createAccessToken, createTokenResponse } from '../../../src/testing/tokens.ts'
import { APP, createScene, nextPage, type Scene, type SceneOptions } from '../session/sessionScene.ts'

interface Behaviour {
  /** Where the browser is sent from an address of the server; `serial` counts the rounds. */
  send?: (url: URL, serial: number, scene: Scene) => string
  frame?: (frame: FakeFrame, scene: Scene) => void
  /** Answers /oauth/token. */
  token?: () => Response
  config?: Partial<AuthConfig>
  address?: string
  /** How often the browser may be sent away in all. Default 3. */
  largestCount?: number
}

const state = (url: URL) => url.searchParams.get('state') ?? ''
const freshToken = (serial: number) => createAccessToken({ jti: `jti-${serial}` })
/** From authorize back to the app, with what is given. */
const back = (query: (url: URL, serial: number) => string) => (url: URL, serial: number) =>
  `${APP}?${query(url, serial)}`
const codeRefused =
  (body: unknown, status = 400) =>
  () =>
    Response.json(body, { status })
const withCode: Behaviour['send'] = (url, _serial, scene) => scene.server.callbackOf(url.href)

const behaviours: Record<string, Behaviour> = {
  'comes back with nothing': { send: () => APP },
  'comes back to another page of the app': { send: (_url, serial) => `${APP}page/${serial}` },
  'comes back with a code and no state': { send: back((_url, serial) => `code=c${serial}`) },
  'comes back with a state of its own': {
    send: back((_url, serial) => `code=c${serial}&state=Abc12${serial % 10}`),
  },
  'comes back with the state twice': {
    send: back((url) => `code=c&state=${state(url)}&state=${state(url)}`),
  },
  'comes back with the code twice': { send: back((url) => `code=c&code=d&state=${state(url)}`) },
  'comes back with an empty code': { send: back((url) => `code=&state=${state(url)}`) },
  'comes back with a state in other letters': {
    send: back((url) => `code=c&state=${state(url).toLowerCase()}x`),
  },
  'comes back with everything in the hash': { send: (url) => `${APP}#code=c&state=${state(url)}` },
  'comes back with login_required': { send: back((url) => `error=login_required&state=${state(url)}`) },
  'comes back with server_error': { send: back((url) => `error=server_error&state=${state(url)}`) },
  'comes back with temporarily_unavailable': {
    send: back((url) => `error=temporarily_unavailable&state=${state(url)}`),
  },
  'comes back with invalid_scope': { send: back((url) => `error=invalid_scope&state=${state(url)}`) },
  'comes back with an error and no state': { send: back(() => 'error=login_required') },
  'comes back from another issuer': {
    send: back((url) => `code=c&state=${state(url)}&iss=https://other.test`),
  },
  'refuses every code': { send: withCode, token: codeRefused({ error: 'invalid_grant' }) },
  'answers every code with 500': { send: withCode, token: codeRefused('<h1>down</h1>', 500) },
  'answers every code with a page': {
    send: withCode,
    token: () => new Response('<h1>portal</h1>', { headers: { 'content-type': 'text/html' } }),
  },
  'answers every code with a token that is none': {
    send: withCode,
    token: () => Response.json({ access_token: 'x', expires_in: 60 }),
  },
  'answers every code with a token of nobody': {
    send: withCode,
    token: () => Response.json(createTokenResponse({ userId: undefined } as never)),
  },
  // Two rounds wait a minute each for the frame, and then it is not opened any more: three of the four come in one minute.
  'answers no frame and comes back with nothing': { send: () => APP, frame: () => {}, largestCount: 4 },
  'refuses the frame and comes back with nothing': { send: () => APP, frame: (frame) => frame.csp() },
  'adds a fresh token to every way back': { send: (_url, serial) => `${APP}?token=${freshToken(serial)}` },
  'passes through without making a session': {
    address: `${APP}?token=${freshToken(0)}`,
    send: (url, serial) =>
      url.pathname === '/oauth/passthrough'
        ? (url.searchParams.get('redirect') ?? '')
        : `${APP}?jwt=${freshToken(serial)}`,
  },
  'takes initToken and forgets it': {
    config: { initToken: freshToken(0) },
    send: (url) => url.searchParams.get('redirect') ?? APP,
  },
  'sends from passthrough to another page with another token': {
    address: `${APP}?auth=${freshToken(0)}`,
    send: (_url, serial) => `${APP}p${serial}?auth=${freshToken(serial)}`,
  },
}

/** The browser goes wherever it is sent, until it stays or has been sent round far too often. */
async function goRound(behaviour: Behaviour) {
  const options: SceneOptions = {
    address: behaviour.address ?? APP,
    config: { ...behaviour.config },
    server: { user: undefined },
    isFrameMute: true,
  }
  let scene = createScene(options)
  const visited: string[] = []
  for (;;) {
    const { host, server, auth } = scene
    const here = scene
    host.fetch = async (input, init) => {
      const isToken = new URL(input instanceof Request ? input.url : input).pathname === '/oauth/token'
      return (isToken && behaviour.token?.()) || server.fetch(input, init)
    }
    void auth.start()
    await host.settle()
    for (const frame of Array.from(host.frames)) {
      if (behaviour.frame) behaviour.frame(frame, here)
      else server.answerFrame(frame)
    }
    await host.settle()
    // A frame that says nothing has its minute.
    if (auth.getState().status === 'initializing') await host.clock.advance(60_000)
    const [next] = host.navigations
    if (next === undefined || visited.length > 8) return { scene, visited }
    visited.push(next)
    const address = behaviour.send?.(new URL(next), visited.length, scene) ?? APP
    scene = nextPage(scene, address, options)
  }
}

describe('a server that', () => {
  it('is one of many', () => {
    expect(Object.keys(behaviours).length).toBeGreaterThanOrEqual(15)
  })

  it.each(Object.entries(behaviours))(
    '%s is left alone after three redirects in a minute at most',
    async (_name, behaviour) => {
      const { scene, visited } = await goRound(behaviour)
      expect(visited.length).toBeGreaterThanOrEqual(1)
      expect(visited.length).toBeLessThanOrEqual(behaviour.largestCount ?? 3)
      const ended = scene.auth.getState()
      expect(ended.status).toBe('failed')
      if (ended.status !== 'failed') return
      expect(ended.error.message).not.toBe('')
      expect(ended.error.remedy).toBeTruthy()

      // The button: a click is no automatic redirect, so it goes.
      ended.retry()
      await scene.host.settle()
      for (const frame of Array.from(scene.host.frames)) scene.server.answerFrame(frame)
      await scene.host.settle()
      expect(scene.auth.getState().status).not.toBe('failed')
    },
  )
})
