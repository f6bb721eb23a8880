// A session that was ended at the server ends here when the page is looked at again, for apps that want it (`checkSessionOnWake`).
import { describe, expect, it } from 'vitest'
import { createScene, isOpenIdConnect, startScene, tokenBodies } from '../session/sessionScene.ts'

const MINUTE = 60_000
const WAKES = ['focus', 'visible', 'resume', 'online'] as const

/** Signed in, with tokens that live for an hour. */
const signedIn = (config = {}) =>
  startScene({ config: { checkSessionOnWake: true, ...config }, server: { expiresInSeconds: 3600 } })

/** Opens a second tab of the same browser, which gets the session of the first. */
async function openBeside(first: Awaited<ReturnType<typeof signedIn>>) {
  const second = createScene({
    config: { checkSessionOnWake: true },
    host: { browser: first.host.browser, fetch: first.server.fetch },
  })
  void second.auth.start()
  await first.host.clock.advance(2000)
  expect(second.auth.getState().status).toBe('authenticated')
  return second
}

describe('a session that an administrator has ended at the server', () => {
  it.each(WAKES)('ends at the next %s, five minutes after the last token', async (event) => {
    const { host, server, auth } = await signedIn()
    server.revokeAll()
    server.user = undefined
    await host.clock.advance(5 * MINUTE)
    expect(auth.getState().status).toBe('authenticated')
    host.emit(event)
    await host.settle()
    expect(auth.getState()).toMatchObject({ status: 'unauthenticated', reason: 'expired' })
    expect(auth.explain().some(({ step }) => step === 'session at the server')).toBe(true)
  })

  it('is not asked for without the option', async () => {
    const { host, server, auth } = await signedIn({ checkSessionOnWake: undefined })
    server.revokeAll()
    server.user = undefined
    await host.clock.advance(20 * MINUTE)
    for (const event of WAKES) host.emit(event)
    await host.settle()
    expect(auth.getState().status).toBe('authenticated')
  })
})

describe('a session that still exists', () => {
  it('costs one request for all the events of a wake, and none within five minutes of the last token', async () => {
    const { host, server, auth } = await signedIn()
    const wake = async () => {
      for (const event of WAKES) host.emit(event)
      await host.settle()
      return server.tokenRequests.length
    }
    const atFirst = server.tokenRequests.length
    await host.clock.advance(4 * MINUTE)
    expect(await wake()).toBe(atFirst)
    await host.clock.advance(MINUTE)
    expect(await wake()).toBe(atFirst + 1)
    await host.clock.advance(4 * MINUTE)
    expect(await wake()).toBe(atFirst + 1)
    await host.clock.advance(MINUTE)
    expect(await wake()).toBe(atFirst + 2)
    expect(auth.getState().status).toBe('authenticated')
  })

  it('is asked for once by all tabs', async () => {
    const first = await signedIn()
    const second = await openBeside(first)
    const before = first.server.tokenRequests.length
    await first.host.clock.advance(5 * MINUTE)
    for (const { host } of [first, second]) host.emit('resume')
    await first.host.clock.advance(2000)
    expect(first.server.tokenRequests.length).toBe(before + 1)
    expect([first, second].map(({ auth }) => auth.getState().status)).toEqual([
      'authenticated',
      'authenticated',
    ])
  })

  it('is not asked for by a new tab, which gets an old session from another tab', async () => {
    const first = await signedIn()
    await first.host.clock.advance(10 * MINUTE)
    const before = first.server.tokenRequests.length
    await openBeside(first)
    expect(first.server.tokenRequests.length).toBe(before)
  })

  it('stays when the server is out of reach, and a burst of wakes does not ask again at once', async () => {
    let callCount = 0
    const { host, auth } = await startScene({
      config: { checkSessionOnWake: true },
      server: { expiresInSeconds: 3600 },
    })
    host.fetch = async () => {
      callCount += 1
      throw new TypeError('Failed to fetch')
    }
    await host.clock.advance(5 * MINUTE)
    for (let round = 0; round < 3; round += 1) {
      for (const event of WAKES) host.emit(event)
      await host.settle()
    }
    // The question whether it is there, without CORS, and before where the response may be readable; no refresh token.
    expect([auth.getState().status, callCount]).toEqual(['authenticated', isOpenIdConnect ? 1 : 2])
  })

  it('is asked for after a clock was set back, too', async () => {
    const { host, server } = await signedIn()
    const before = server.tokenRequests.length
    await host.clock.advance(6 * MINUTE)
    host.emit('focus')
    await host.settle()
    expect(server.tokenRequests.length).toBe(before + 1)
    host.clock.jump(-24 * 60 * MINUTE)
    await host.clock.advance(6 * MINUTE)
    host.emit('focus')
    await host.settle()
    expect(server.tokenRequests.length).toBe(before + 2)
  })

  it('stays without a network, and its refresh token is not sent', async () => {
    const { host, auth } = await signedIn()
    const before = tokenBodies(host).length
    await host.clock.advance(6 * MINUTE)
    host.setOnline(false)
    host.emit('focus')
    await host.settle()
    expect([auth.getState().status, tokenBodies(host).length]).toEqual(['authenticated', before])
  })
})

it.each([1, 'yes', null])('checkSessionOnWake must be true or false, not %s', (given) => {
  const create = () => createScene({ config: { checkSessionOnWake: given as unknown as boolean } })
  if (given === null) expect(create).not.toThrow()
  else expect(create).toThrow(expect.objectContaining({ code: 'invalid-config' }))
})
