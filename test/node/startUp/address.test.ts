// Any address through the real start-up: ours leaves it, everything else stays byte for byte, nothing is exchanged or left for wrongly.

// @module-tag generated

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFakeStorage } from '../../../src/testing/fakeStorage.ts'
import {
  type AddressCase,
  addressCase,
  addressOf,
  deepLink,
  expectedAddress,
  expectedJti,
  FITTING,
  ownAnswer,
  storedOf,
} from './addressCases.ts'
import { createScene, nextPage, type Scene, tokenBodies } from '../session/sessionScene.ts'
import { checkGenerated, longer } from '../../generated.ts'

const pages = (count: number) => ({ minLength: count, maxLength: count })

async function open(one: AddressCase): Promise<Scene> {
  const scene = createScene({
    address: addressOf(one),
    config: { autoLogin: false },
    host: { sessionStorage: createFakeStorage(storedOf(one)) },
    ...(!one.hasSession && { server: { user: undefined } }),
  })
  void scene.auth.start()
  await scene.host.settle()
  return scene
}

/** A code that somebody else has put beside a state of our form is no part of a place. */
function withoutForeignCode(address: string): string {
  const [, path = '', query = '', hash = ''] = /^([^?#]*)\??([^#]*)(.*)$/s.exec(address)!
  const pieces = query.split('&')
  const isForeign =
    pieces.some((piece) => /^code=./.test(piece)) &&
    pieces.some((piece) => /^state=[A-Za-z0-9]{6}$/.test(piece))
  if (!isForeign) return address
  const kept = pieces.filter(
    (piece) => !/^(code|state|iss|error|error_description|error_uri|session_state)(=|$)/.test(piece),
  )
  return path + (kept.length > 0 ? `?${kept.join('&')}` : '') + hash
}

/** Nor are the tokens of other products part of a place that another server is told of. */
function withoutForeignTokens(address: string): string {
  const [, path = '', query = '', hash = ''] = /^([^?#]*)\??([^#]*)(.*)$/s.exec(address)!
  const isToken = (piece: string) =>
    /^(acces(s|%73)_token|auth|authToken|token|(j|%6A)wt)=[\w-]+\.[\w-]+\.[\w-]+$/.test(piece)
  const pieces = query.split('&')
  const kept = pieces.filter((piece) => !isToken(piece) || piece.length > 16_000)
  return kept.length === pieces.length ? address : path + (kept.length > 0 ? `?${kept.join('&')}` : '') + hash
}

function judge(one: AddressCase, { host, auth }: Scene) {
  const address = addressOf(one)
  // What the generator made is what a browser would show.
  expect(new URL(address).href).toBe(address)
  expect(host.address, address).toBe(expectedAddress(one))

  const sent = tokenBodies(host).map(({ code }) => code)
  const answer = ownAnswer(one)
  const isExchanged = answer?.code !== undefined && !answer.isError
  expect(sent.filter((code) => !code?.startsWith('code-'))).toEqual(isExchanged ? [answer.code] : [])

  const jti = one.hasSession ? undefined : expectedJti(one)
  const passthrough =
    jti &&
    `https://auth.test/oauth/passthrough?${new URLSearchParams({ jti, redirect: withoutForeignTokens(withoutForeignCode(expectedAddress(one))) })}`
  expect(host.navigations).toEqual(passthrough ? [passthrough] : [])
  expect(auth.getState().status).not.toBe('initializing')

  const seen = [
    JSON.stringify(host.sessionStorage.entries()),
    JSON.stringify(host.localStorage.entries()),
    JSON.stringify(auth.explain()),
    JSON.stringify(host.warnings),
  ].join('\n')
  const secrets = [...Object.values(FITTING), 'jti of the address', 'of-the-address']
  expect(secrets.filter((secret) => seen.includes(secret))).toEqual([])
}

describe('whatever address the page is opened with', () => {
  it('ours leaves it, the rest stays, nothing goes to strangers', { timeout: 240_000 * longer }, async () => {
    await checkGenerated(
      'addresses that a page is opened with',
      fc.asyncProperty(fc.array(addressCase, pages(100)), async (cases) => {
        const scenes = await Promise.all(cases.map(async (one) => [one, await open(one)] as const))
        for (const [one, scene] of scenes) judge(one, scene)
      }),
    )
  })
})

describe('a deep link', () => {
  it('is there again after a whole sign-in, byte for byte', { timeout: 240_000 }, async () => {
    const leaveAndComeBack = async (address: string) => {
      const left = createScene({ address, server: { user: undefined } })
      void left.auth.start()
      await left.host.settle()
      const back = nextPage(left, left.server.callbackOf(left.host.navigations[0] ?? ''))
      void back.auth.start()
      await back.host.settle()
      expect(back.auth.getState().status, address).toBe('authenticated')
      expect(back.host.address).toBe(withoutForeignCode(address))
    }
    await checkGenerated(
      'deep links through a sign-in',
      fc.asyncProperty(fc.array(deepLink, pages(50)), async (links) => {
        await Promise.all(links.map(leaveAndComeBack))
      }),
    )
  })
})
