// Servers that keep sending the browser round: after three automatic redirects the user sees why, and a button (F48).
import { describe, expect, it } from 'vitest'
import type { AuthConfig } from '../../../src/protocol/config.ts'
import type { FakeFrame } from '../../../src/testing/fakeWindows.ts'
import { createAccessToken, createTokenResponse } from '../../../src/testing/tokens.ts'
import { internalsOf } from '../../../src/session/internals.ts'
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

/** Frames get no cookies: whoever is signed in at the server, nobody is in a frame. */
const withoutCookies: SceneOptions = { isFrameMute: true }

/** A reload, as the browser tells it. */
const byTheUser: SceneOptions = { host: { isOpenedByUser: true } }

/** The app opens, its frame finds nobody, and the sign-in page sends it back with a code at once. */
async function visit(before: Scene, options: SceneOptions = {}) {
  const here = nextPage(before, APP, { ...withoutCookies, ...options })
  await openAlone(here)
  const [away] = here.host.navigations
  if (away === undefined) return here
  const back = nextPage(here, here.server.callbackOf(away), withoutCookies)
  void back.auth.start()
  await back.host.settle()
  return back
}

async function openAlone(scene: Scene) {
  void scene.auth.start()
  await scene.host.settle()
  for (const frame of Array.from(scene.host.frames)) frame.answer({ error: 'login_required' })
  await scene.host.settle()
}

describe('a browser that keeps cookies from frames', () => {
  it('signs in by redirect with every reload, however often', async () => {
    let scene = createScene(withoutCookies)
    for (let count = 0; count < 8; count += 1) {
      scene = await visit(scene, byTheUser)
      expect(scene.auth.getState().status).toBe('authenticated')
      await scene.host.clock.advance(1_000)
    }
  })

  it('does so right after a sign-out too', async () => {
    let scene = createScene(withoutCookies)
    for (let count = 0; count < 5; count += 1) {
      scene = await visit(scene, byTheUser)
      expect(scene.auth.getState().status).toBe('authenticated')
      await scene.auth.logout()
      const away = new URL(scene.host.navigations.at(-1)!)
      const returnUri = away.searchParams.get('post_logout_redirect_uri')!
      scene = nextPage(scene, `${returnUri}?state=${away.searchParams.get('state')}`, withoutCookies)
      await openAlone(scene)
      expect(scene.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'signed-out' })
    }
  })

  it('is asked for a frame again where one finds somebody, or a person signs in', async () => {
    const asksAFrame = async (page: Scene) => {
      const next = nextPage(page, APP, withoutCookies)
      void next.auth.start()
      await next.host.settle()
      return { next, frameCount: next.host.frames.length }
    }
    // The first visit of a browser says nothing: the user may have been known to the sign-in page alone.
    const first = await visit(createScene(withoutCookies))
    const known = await asksAFrame(first)
    expect(known.frameCount).toBe(1)
    known.next.server.answerFrame(known.next.host.frames[0]!)
    await known.next.host.settle()
    expect(known.next.auth.getState().status).toBe('authenticated')
    const kept = await visit(known.next)
    const off = await asksAFrame(kept)
    expect(off.frameCount).toBe(0)
    await off.next.auth.login().catch(() => {})
    const back = nextPage(
      off.next,
      off.next.server.callbackOf(off.next.host.navigations.at(-1)!),
      withoutCookies,
    )
    void back.auth.start()
    await back.host.settle()
    expect((await asksAFrame(back)).frameCount).toBe(1)
  })

  it('is left alone with frames for five minutes once one found nobody and the sign-in page did, and no longer', async () => {
    let scene = createScene(withoutCookies)
    for (let count = 0; count < 2; count += 1) scene = await visit(scene)
    const opens = async () => {
      let frameCount = 0
      const here = nextPage(scene, APP, { ...withoutCookies, host: { onFrame: () => (frameCount += 1) } })
      await openAlone(here)
      scene = nextPage(here, here.server.callbackOf(here.host.navigations[0]!), withoutCookies)
      void scene.auth.start()
      await scene.host.settle()
      return frameCount
    }
    expect(await opens()).toBe(0)
    await scene.host.clock.advance(200_000)
    expect(await opens()).toBe(0)
    await scene.host.clock.advance(101_000)
    expect(await opens()).toBe(1)
  })
})

describe('automatic redirects', () => {
  it('do not count where the user opened the page: reload, back, a typed address', async () => {
    let scene = createScene(withoutCookies)
    for (let count = 0; count < 8; count += 1) {
      scene = nextPage(scene, APP, { ...withoutCookies, host: { isOpenedByUser: true } })
      await openAlone(scene)
      expect(scene.auth.getState()).toMatchObject({ status: 'redirecting', to: 'login' })
    }
  })

  it('count where a server sends the browser back with an answer, whatever the browser says of the page', async () => {
    let scene = createScene(withoutCookies)
    const statuses: string[] = []
    for (let count = 0; count < 5; count += 1) {
      scene = nextPage(scene, `${APP}?code=c&state=Abc12${count}`, {
        ...withoutCookies,
        host: { isOpenedByUser: true },
      })
      await openAlone(scene)
      statuses.push(scene.auth.getState().status)
    }
    expect(statuses).toEqual(['redirecting', 'redirecting', 'redirecting', 'failed', 'failed'])
  })

  it('count on every page of a session that has not lived for a minute, and no longer', async () => {
    let scene = createScene(withoutCookies)
    const statuses: string[] = []
    for (let count = 0; count < 4; count += 1) {
      scene = await visit(scene)
      statuses.push(scene.auth.getState().status)
    }
    expect(statuses).toEqual(['authenticated', 'authenticated', 'authenticated', 'failed'])
    await scene.host.clock.advance(60_000)
    expect((await visit(scene)).auth.getState().status).toBe('authenticated')
  })

  it('count where the sessions that they bring end at once', async () => {
    let scene = createScene({ ...withoutCookies, server: { expiresInSeconds: 2, user: undefined } })
    await openAlone(scene)
    let count = 0
    for (; count < 8; count += 1) {
      const away = scene.host.navigations.at(-1)
      if (away === undefined) break
      const back = nextPage(scene, scene.server.callbackOf(away), withoutCookies)
      void back.auth.start()
      await back.host.settle()
      expect(back.auth.getState().status).toBe('authenticated')
      back.host.fetch = async () => Response.json({ error: 'invalid_grant' }, { status: 400 })
      scene = back
      await scene.host.clock.advance(2_000)
      const renewing = scene.auth.renew({ force: true }).catch(() => {})
      await scene.host.settle()
      for (const frame of Array.from(scene.host.frames)) frame.answer({ error: 'login_required' })
      await renewing
      expect(scene.auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'expired' })
      back.host.fetch = back.server.fetch
      await internalsOf(scene.auth)
        .loginByItself()
        .catch(() => {})
    }
    expect(count).toBe(3)
  })
})
