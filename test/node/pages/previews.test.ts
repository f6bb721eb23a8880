// The function for preview deployments, as examples/previews has it: it leads to previews and to the provider, and nowhere else.
import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OidcServer, startOidcServer } from '../../../demo/servers/oidc/startOidcServer.ts'
import { checkGenerated } from '../../generated.ts'
import { importCode } from '../../e2e/pages/recipeCode.ts'

const RETURN = 'https://return.example.com'
const code = readFileSync('examples/previews/sendOn.ts', 'utf8')

let provider: OidcServer
let sendOn: (request: Request) => Promise<Response>
beforeAll(async () => {
  provider = await startOidcServer({ redirectUris: [`${RETURN}/`] })
  const module = await importCode(code.replace('https://login.example.com', provider.issuer))
  ;({ sendOn } = module as { sendOn: typeof sendOn })
})
afterAll(async () => provider.close())

const ask = async (path: string, options?: RequestInit) => sendOn(new Request(RETURN + path, options))
const placeOf = (response: Response) => response.headers.get('location')

describe('preview deployments', () => {
  it('lead to the provider with the preview behind the state, and back to it without', async () => {
    const there = await ask('/pr-12/authorization_endpoint?client_id=admin&state=abc_-D&scope=openid+profile')
    expect(placeOf(there)).toBe(
      `${provider.issuer}/auth?client_id=admin&state=abc_-D.pr-12&scope=openid+profile`,
    )
    const back = await ask('/?code=a%2Bb&state=abc_-D.pr-12&iss=https%3A%2F%2Flogin.example.com')
    expect(placeOf(back)).toBe(
      'https://pr-12.preview.example.com/?code=a%2Bb&state=abc_-D&iss=https%3A%2F%2Flogin.example.com',
    )
    for (const response of [there, back]) {
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    }
  })

  it('take a logout that comes as a form, because its address would be too long', async () => {
    const body = new URLSearchParams({ id_token_hint: 'x'.repeat(5000), state: 'a1B2c3' })
    const response = await ask('/pr-12/end_session_endpoint', { method: 'POST', body })
    const place = new URL(placeOf(response)!)
    expect(place.origin + place.pathname).toBe(`${provider.issuer}/session/end`)
    expect(place.searchParams.get('state')).toBe('a1B2c3.pr-12')
    expect(place.searchParams.get('id_token_hint')).toHaveLength(5000)
  })

  it('read metadata whose endpoints are those of the function, for the page of that preview alone', async () => {
    const response = await ask('/pr-12/metadata')
    expect(response.headers.get('access-control-allow-origin')).toBe('https://pr-12.preview.example.com')
    const metadata = (await response.json()) as Record<string, unknown>
    expect(metadata).toMatchObject({
      issuer: provider.issuer,
      authorization_endpoint: `${RETURN}/pr-12/authorization_endpoint`,
      token_endpoint: `${RETURN}/pr-12/token_endpoint`,
      end_session_endpoint: `${RETURN}/pr-12/end_session_endpoint`,
    })
    // What would go past the function is not offered.
    for (const name of ['response_modes_supported', 'pushed_authorization_request_endpoint'])
      expect(metadata).not.toHaveProperty(name)
    expect(metadata).not.toHaveProperty('dpop_signing_alg_values_supported')
  })

  it('hear what the provider says to a call, a refusal too', async () => {
    const body = new URLSearchParams({ grant_type: 'authorization_code', code: 'none', client_id: 'admin' })
    const response = await ask('/pr-12/token_endpoint', { method: 'POST', body })
    expect(response.status).toBe(400)
    expect(await response.json()).toHaveProperty('error')
    expect(response.headers.get('access-control-allow-origin')).toBe('https://pr-12.preview.example.com')
  })

  it.each([
    ['no state', '/?code=a'],
    ['a state of nobody', '/?code=a&state=abc'],
    ['no state before the name', '/?code=a&state=.pr-12'],
    ['two states', '/?code=a&state=x.pr-12&state=y.pr-13'],
    ['no name', '/?code=a&state=abc.'],
    ['an address for a name', '/?code=a&state=abc.https://evil.example/'],
    ['a path behind the name', '/?code=a&state=abc.com/evil'],
    ['a port behind the name', '/?code=a&state=abc.com:8443'],
    ['a name and a password', '/?code=a&state=abc.me@com:1@evil'],
    ['a line break', '/?code=a&state=abc.pr-12%0d%0aset-cookie:a'],
    ['an escaped dot', '/?code=a&state=abc.evil%252eexample'],
    ['a full-width dot', '/?code=a&state=abc.evil%EF%BC%8Eexample'],
    ['capitals', '/?code=a&state=abc.PR-12'],
    ['a hyphen at the end', '/?code=a&state=abc.pr-'],
    ['a name of 64 letters', `/?code=a&state=abc.${'a'.repeat(64)}`],
    ['a host in the path', '/evil.example/authorization_endpoint?state=x'],
    ['two slashes', '//evil.example/authorization_endpoint?state=x'],
    ['a backslash', '/\\evil.example/authorization_endpoint?state=x'],
    ['a path that goes on', '/pr-12/authorization_endpoint/evil'],
    ['an endpoint that is none of these', '/pr-12/jwks_uri'],
    ['a member of every object', '/pr-12/__proto__'],
    ['an endpoint that the provider lacks', '/pr-12/toString'],
  ])('send nobody anywhere: %s', async (_name, path) => {
    const response = await ask(path)
    expect(response.status).toBe(400)
    expect(placeOf(response)).toBeNull()
    expect(await response.text()).toBe('There is no such preview.')
  })

  it('send nobody to another domain, whatever stands in the address', { tags: ['generated'] }, async () => {
    const piece = fc.oneof(
      fc.constantFrom('.', '/', '//', '\\', '@', ':', '?', '#', '%2e', '..', 'evil.example', 'pr-12', '\n'),
      fc.string({ maxLength: 8 }),
    )
    const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''))
    await checkGenerated(
      'returns to a preview',
      fc.asyncProperty(text, text, async (state, code) => {
        const place = placeOf(await ask(`/?${new URLSearchParams({ state, code })}`))
        if (place === null) return
        const { protocol, hostname, port, username, pathname } = new URL(place)
        expect(hostname).toMatch(/^[a-z0-9-]{1,63}\.preview\.example\.com$/)
        expect([protocol, port, username, pathname]).toEqual(['https:', '', '', '/'])
      }),
    )
  })
})
