// The addresses below authHost: a hostile id is encoded or refused, and the bearer token goes to no other origin.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { checkFirmUpdate } from '../../../src/queries/cloudProvider.ts'
import { checkDomain, cloudAccessTokenPath, firmPath, linkMapPath } from '../../../src/protocol/endpoints.ts'
import { BLANK, isCloseMessage, popupUrl } from '../../../src/protocol/popups.ts'
import { checkSupportRequest, readSupportAccess } from '../../../src/protocol/support.ts'
import { createCall } from '../../../src/session/http/call.ts'
import { createSend } from '../../../src/session/http/send.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'

const AUTH = 'https://auth.test'
const invalid = expect.objectContaining({ code: 'invalid-argument' })

describe('ids in an address', () => {
  it.each([
    ['//evil.test', '/api/firms/%2F%2Fevil.test'],
    ['../..', '/api/firms/..%2F..'],
    ['%2e%2e', '/api/firms/%252e%252e'],
    ['%2e', '/api/firms/%252e'],
    ['a?b#c', '/api/firms/a%3Fb%23c'],
    ['a\\b', '/api/firms/a%5Cb'],
    ['@evil.test', '/api/firms/%40evil.test'],
    ['blåbær ✓', '/api/firms/bl%C3%A5b%C3%A6r%20%E2%9C%93'],
    ['…', '/api/firms/%E2%80%A6'],
    [7, '/api/firms/7'],
  ])('%j stays one piece of the path below authHost', (id, path) => {
    expect(firmPath(id)).toBe(path)
    const url = new URL(AUTH + cloudAccessTokenPath(id))
    expect(url.origin).toBe(AUTH)
    expect(url.pathname.split('/').slice(0, 3)).toEqual(['', 'cloudprovider', 'accesstoken'])
    expect(url.pathname.split('/')).toHaveLength(4)
    expect(url.search + url.hash).toBe('')
  })

  it.each([
    ['.'],
    ['..'],
    [''],
    ['a\nb'],
    ['\u0000'],
    ['\ud800'],
    ['x'.repeat(501)],
    [Number.NaN],
    [null],
    [{}],
    [['a']],
  ])('%j is refused', (id) => {
    expect(() => firmPath(id as never)).toThrow(invalid)
    expect(() => cloudAccessTokenPath(id as never)).toThrow(invalid)
  })

  it('are optional for the cloud access token', () => {
    expect(cloudAccessTokenPath()).toBe('/cloudprovider/accesstoken')
  })
})

it('names the client, and all users only when asked', () => {
  expect(linkMapPath('a&b')).toBe('/cloudprovider/linkmap?client_id=a%26b')
  expect(linkMapPath('admin', { allUsers: true })).toBe(
    '/cloudprovider/linkmap?client_id=admin&allUsers=true',
  )
  expect(linkMapPath('admin', { allUsers: false })).toBe('/cloudprovider/linkmap?client_id=admin')
})

describe('popups', () => {
  const settings = { authHost: AUTH, clientId: 'admin' }

  it('carry the client and what they were given, and no token', () => {
    expect(popupUrl(settings, 'link')).toBe(`${AUTH}/cloudprovider/link?client_id=admin`)
    expect(popupUrl(settings, 'reauthenticate', { nonce: 'a b' })).toBe(
      `${AUTH}/cloudprovider/reauthenticate?client_id=admin&nonce=a+b`,
    )
    expect(popupUrl(settings, 'changepassword')).toBe(`${AUTH}/oauth/changepassword?client_id=admin`)
    expect(BLANK).toBe('about:blank')
  })

  it.each([
    ['closeMe'],
    [{ type: 'closeMe' }],
    [{ name: 'closeMe' }],
    [{ message: 'closeMe', type: 'other' }],
  ])('%j says that a popup is over', (data) => {
    expect(isCloseMessage(data)).toBe(true)
  })

  it.each([
    ['closeme'],
    [' closeMe'],
    [null],
    [undefined],
    [7],
    [['closeMe']],
    [{ data: 'closeMe' }],
    [{ type: ['closeMe'] }],
    [{ type: { toString: () => 'closeMe' } }],
    [Object.create({ type: 'closeMe' }) as object],
  ])('%j does not', (data) => {
    expect(isCloseMessage(data)).toBe(false)
  })

  it.each([['firm.example'], ['bücher.example'], ['xn--bcher-kva.example']])(
    'take %s as a domain',
    (domain) => {
      expect(checkDomain(domain)).toBe(domain)
    },
  )

  it.each([
    [''],
    ['a b'],
    ['https://a.b'],
    ['a/b'],
    ['a?b'],
    ['a@b'],
    ['a:1'],
    [7],
    [null],
    ['x'.repeat(254)],
  ])('take %j for no domain', (domain) => {
    expect(() => checkDomain(domain)).toThrow(invalid)
  })
})

describe('a firm update', () => {
  it.each([[undefined], [null], [''], ['  '], [{}], [[]], [true], [Number.NaN]])(
    "with cloudProviderId %j fails with 'cloudProviderId is required'",
    (cloudProviderId) => {
      expect(() => checkFirmUpdate({ id: 'f1', cloudProviderId: cloudProviderId as never })).toThrow(
        expect.objectContaining({
          code: 'cloud-provider-id-required',
          message: 'cloudProviderId is required',
        }),
      )
    },
  )

  it('sends the two members and nothing else', () => {
    const update = { id: 'f1', cloudProviderId: 7, admin: true }
    expect(checkFirmUpdate(update)).toEqual({ id: 'f1', cloudProviderId: 7 })
  })
})

describe('support access', () => {
  it.each([[0], [1441], [1.5], [-1], [Number.NaN], ['60'], [undefined], [Infinity]])(
    'for %j minutes is refused',
    (duration) => {
      expect(() => checkSupportRequest({ requestCode: 'CODE', duration: duration as never })).toThrow(invalid)
    },
  )

  it.each([[''], ['  '], [undefined], [7], [{}]])('with the code %j is refused', (requestCode) => {
    expect(() => checkSupportRequest({ requestCode: requestCode as never, duration: 60 })).toThrow(invalid)
  })

  it.each([[1], [1440]])('for %d minutes is taken', (duration) => {
    expect(checkSupportRequest({ requestCode: 'CODE', duration })).toEqual({ requestCode: 'CODE', duration })
  })

  it("ends by the server's word, or after the time that was asked for", () => {
    const options = { requestCode: 'CODE-1', duration: 60, nowMs: 1_000 }
    expect(readSupportAccess({ endsAt: '2030-01-01T01:00:00.000Z' }, options).endsAtMs).toBe(
      Date.UTC(2030, 0, 1, 1),
    )
    expect(readSupportAccess({ endsAt: 'soon' }, options).endsAtMs).toBe(3_601_000)
    expect(readSupportAccess('', options)).toEqual({ endsAtMs: 3_601_000, details: {} })
  })
})

describe('a redirect to another origin', () => {
  const servers: Server[] = []
  const listen = async (server: Server) => {
    servers.push(server)
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  afterEach(() =>
    Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve)))),
  )

  it('is refused, and the other origin hears nothing', async () => {
    let heard = 0
    const other = await listen(
      createServer((_request, response) => {
        heard += 1
        response.end('{}')
      }),
    )
    const authHost = await listen(
      createServer((_request, response) => {
        response.writeHead(307, { location: `${other}/api/userinfo`, connection: 'close' }).end()
      }),
    )
    const { platform } = createFakeHost('https://app.test/')
    const call = createCall(authHost, createSend(platform))
    await expect(call({ method: 'GET', path: '/api/userinfo', token: 'BEARER' })).rejects.toMatchObject({
      code: 'network',
    })
    expect(heard).toBe(0)
  })
})
