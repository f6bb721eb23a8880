// The devtools show a session as it is, and count down to what is due.
import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import {
  createSupportBundle,
  LatchkeyDevtools,
  LatchkeyDevtoolsPanel,
  latchkeyDevtoolsPlugin,
} from '../../../src/devtools/index.ts'
import { pubnub } from '../../../src/pubnub/index.ts'
import type { AuthConfig } from '../../../src/protocol/config.ts'
import { internalsOf } from '../../../src/session/internals.ts'
import { createMemoryRealtime } from '../../../src/testing/memoryRealtime.ts'
// Warm, so that loading it does not take longer than a fake page rests.
import '../../../src/realtime/channels.ts'
import { createFakeBrowser } from '../../../src/testing/fakeBrowser.ts'
import { neverAnswers } from '../../../src/testing/fakeHost.ts'
import { createTestAuth } from '../../../src/testing/testAuth.ts'
import { createScene, type Scene, type SceneOptions, tokenBodies } from '../../node/session/sessionScene.ts'

/** A page with the devtools beside the app, whose start-up has ended. */
async function open(options: SceneOptions = {}): Promise<Scene> {
  const scene = createScene(options)
  render(<LatchkeyDevtoolsPanel auth={scene.auth} />)
  void scene.auth.start()
  await rest(scene)
  return scene
}
const rest = ({ host }: Scene) => act(() => host.settle())
/** A second more, so that the panel has drawn what time brought. */
const pass = async (scene: Scene, ms: number) => act(() => scene.host.clock.advance(ms))
const panel = () => within(screen.getByLabelText('Latchkey devtools'))
/** What stands beside a name in the panel's body. */
const beside = (name: string) =>
  [...document.querySelectorAll('.latchkey-dt-row > span')].find(({ textContent }) => textContent === name)
    ?.nextElementSibling?.textContent
const press = async (scene: Scene, name: string) => {
  await act(async () => {
    panel().getByText(name, { selector: 'button' }).click()
    await scene.host.settle()
  })
}
const currentState = () => panel().getByLabelText('States').querySelector('[aria-current]')?.textContent
const events = () =>
  [...panel().getByLabelText('Events, newest first').querySelectorAll('li > div')].map(
    ({ textContent }) => textContent ?? '',
  )
const AUTO: Partial<AuthConfig> = { autoRefreshToken: true }

describe('the state', () => {
  it('is shown during start-up already, and each step as soon as it has ended', async () => {
    const scene = await open({ isFrameMute: true })
    await pass(scene, 1_000)
    expect(currentState()).toBe('initializing')
    expect(events()[0]).toMatch(/^code in the address skipped/)
    await act(async () => {
      scene.server.answerFrame(scene.host.frames[0]!)
      await scene.host.settle()
    })
    await pass(scene, 1_000)
    expect(currentState()).toBe('authenticated')
    expect(events()).toContainEqual(expect.stringMatching(/^verify existing session done/))
    expect(beside('userId')).toBe('alice')
  })

  it('says why it failed, and starts over when start-up is repeated', async () => {
    const scene = await open({ host: { fetch: async () => new Response('', { status: 503 }) } })
    expect(currentState()).toBe('failed')
    expect(panel().getByText(/503/, { selector: 'details > p' })).toBeInstanceOf(HTMLElement)
    scene.host.fetch = neverAnswers
    await act(async () => {
      const state = scene.auth.getState()
      if (state.status === 'failed') state.retry()
      await scene.host.settle()
    })
    await pass(scene, 1_000)
    expect(currentState()).toBe('initializing')
    expect(events()[0]).toMatch(/^code in the address skipped/)
  })

  it('names a renewal that is under way', async () => {
    const scene = await open()
    scene.host.fetch = neverAnswers
    await act(async () => {
      void scene.auth.renew({ force: true }).catch(() => {})
      await scene.host.settle()
    })
    await pass(scene, 1_000)
    expect(panel().getByText('renewing')).toBeInstanceOf(HTMLElement)
    expect(beside('Renewal')).toBe('under way')
  })
})

describe('the deadlines', () => {
  it('count down to the renewal that then happens, to expiry and to the idle logout', async () => {
    const scene = await open({ config: AUTO, server: { expiresInSeconds: 40 } })
    expect(beside('Access token expires')).toMatch(/^0:40 /)
    expect(beside('Renewal')).toMatch(/^0:10 /)
    await pass(scene, 5_000)
    expect(beside('Access token expires')).toMatch(/^0:35 /)
    expect(beside('Renewal')).toMatch(/^0:05 /)
    expect(beside('Idle logout')).toMatch(/^29:55 /)
    await pass(scene, 5_000)
    expect(tokenBodies(scene.host).at(-1)).toMatchObject({ grant_type: 'refresh_token' })
    expect(beside('Renewal')).toMatch(/^0:10 /)
  })

  it('follow the waits after a renewal that failed', async () => {
    const scene = await open({ config: AUTO, server: { expiresInSeconds: 40 } })
    expect(beside('Renewal')).toMatch(/^0:10 /)
    scene.host.fetch = async () => new Response('', { status: 503 })
    await pass(scene, 10_000)
    expect(beside('Renewal')).toMatch(/^0:01 /)
  })

  it('say why there is none', async () => {
    const scene = await open({ config: { autoLogout: false } })
    expect(beside('Renewal')).toBe('off: a call renews it when less than 30 s are left')
    expect(beside('Idle logout')).toBe('off')
    act(() => scene.auth.dispose())
    await pass(scene, 1_000)
    expect(beside('Access token expires')).toBe('nobody is signed in')
  })

  it('say that a stopped renewal has no timer', async () => {
    const scene = await open({ config: AUTO })
    scene.auth.stopRenewal()
    await pass(scene, 1_000)
    expect(beside('Renewal')).toBe('no timer is set')
  })
})

describe('the timeline', () => {
  it('shows the newest event first, with the code and the remedy of what failed', async () => {
    const scene = await open()
    scene.host.fetch = async () => new Response('', { status: 503 })
    await act(() => scene.auth.renew({ force: true }).catch(() => {}))
    await pass(scene, 1_000)
    expect(events()[0]).toMatch(/^renew token failed · .*503.* · unexpected-status/)
    expect(events().at(-1)).toBe('code in the address skipped · none of ours')
  })

  it('adds what the session does not write down: the network, and other tabs', async () => {
    const browser = createFakeBrowser()
    const scene = await open({ host: { browser } })
    act(() => scene.host.setOnline(false))
    expect(events()[0]).toBe('network done · offline')
    act(() => scene.host.setOnline(true))
    expect(events()[0]).toBe('network done · online')
  })

  it('keeps 200 events, draws few of them, and all when asked', async () => {
    const scene = await open()
    const { timeline } = internalsOf(scene.auth)
    for (let round = 0; round < 210; round += 1) timeline.record('beat', 'done', String(round))
    await pass(scene, 1_000)
    expect(panel().getByText('Timeline (200)')).toBeInstanceOf(HTMLElement)
    expect(events()).toHaveLength(15)
    expect(events()[0]).toBe('beat done · 209')
    await press(scene, 'Show all 200')
    expect(events()).toHaveLength(200)
    await press(scene, 'Show the last 15')
    expect(events()).toHaveLength(15)
  })
})

describe('tabs and channels', () => {
  it('list the tabs of the browser, this one among them, and which one holds the line', async () => {
    const browser = createFakeBrowser()
    const hub = createMemoryRealtime()
    const config = { realtime: hub.transport }
    const first = createScene({ config, host: { browser } })
    void first.auth.start()
    await act(() => first.host.settle())
    const second = await open({ config, host: { browser, fetch: first.host.fetch } })
    await pass(second, 1_000)
    expect(panel().getByText('2 tabs hold the session, this one is among them.')).toBeInstanceOf(HTMLElement)
    expect(beside('line held by')).toBe('another tab')
    expect(panel().getByText('connected')).toBeInstanceOf(HTMLElement)
    act(() => first.host.close())
    await pass(second, 2_000)
    expect(panel().getByText('1 tab holds the session, this one is among them.')).toBeInstanceOf(HTMLElement)
    expect(beside('line held by')).toBe('this tab')
    expect(events()).toContain('tabs done · 1 tab holds the session')
  })
})

describe('the configuration', () => {
  it('is shown with its defaults, and without a value that is secret', async () => {
    await open({
      config: {
        realtime: pubnub({ publishKey: 'PUB', subscribeKey: 'SUB', origin: 'realtime.test' }),
        redirectUri: 'https://app.test/back?key=VALUE',
        initToken: 'INIT',
        hooks: { afterLogin: () => {} },
      },
    })
    expect(beside('idleTimeoutInMinutes')).toBe('30')
    expect(beside('redirectUri')).toBe('https://app.test/back')
    expect(beside('initToken')).toBe('set')
    expect(beside('realtime.isProtected')).toBe('off')
    expect(beside('hooks')).toBe('afterLogin')
    expect(document.body.innerHTML).not.toMatch(/PUB|SUB|VALUE|INIT/)
  })
})

describe('where it stands', () => {
  it('opens by its button, closes by Escape, and the focus goes along', () => {
    render(<LatchkeyDevtools auth={createTestAuth()} />)
    expect(screen.queryByText('Copy support bundle')).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: 'Latchkey' }))
    const region = screen.getByRole('region', { name: 'Latchkey devtools' })
    expect(document.activeElement).toBe(region)
    fireEvent.keyDown(region, { key: 'Escape' })
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Latchkey' }))
  })

  it('is a plugin of TanStack Devtools: an id, a name and an element', () => {
    const { id, name, render: element } = latchkeyDevtoolsPlugin(createTestAuth())
    expect([id, name]).toEqual(['latchkey', 'Latchkey'])
    render(element)
    expect(currentState()).toBe('authenticated')
  })

  it('needs a session', () => {
    expect(() => render(<LatchkeyDevtools />)).toThrow(expect.objectContaining({ code: 'no-provider' }))
  })

  it('leaves nothing behind: no timer, no listener', async () => {
    const scene = createScene()
    const before = scene.host.counts()
    const { unmount } = render(<LatchkeyDevtoolsPanel auth={scene.auth} />)
    expect(scene.host.counts().timers).toBe(before.timers + 1)
    unmount()
    expect(scene.host.counts()).toEqual(before)
  })
})

it('the support bundle says what the panel shows, also when no panel is open', async () => {
  const scene = createScene({ address: 'https://app.test/firms/7?tab=people#top' })
  void scene.auth.start()
  await scene.host.settle()
  const bundle = JSON.parse(createSupportBundle(scene.auth)) as Record<string, unknown>
  expect(bundle).toMatchObject({
    page: 'https://app.test',
    status: 'authenticated',
    isOnline: true,
    user: { userId: 'alice', firmId: 'f1', sessionId: 'set' },
    settings: { clientId: 'admin', autoLogin: 'on' },
  })
  expect(bundle['events']).toContainEqual(
    expect.objectContaining({ step: 'verify existing session', outcome: 'done' }),
  )
  expect(JSON.stringify(bundle)).not.toMatch(/firms\/7|people|top/)
})
