// Tokens bound to a key of the page (DPoP) in real Chromium, on npm oidc-provider that requires them and wants a nonce in each proof.

// @module-tag thorough

import { createHash } from 'node:crypto'
import type { BrowserContext, Page, Request } from 'playwright'
import { describe, expect, it } from 'vitest'
import { authOf } from '../authOf.ts'
import { stopLongTimers } from '../clock.ts'
import { useBrowsers } from '../fixture.ts'
import { expectEventually, expectHeading, expectSignedIn, expectVisible } from '../page.ts'
import { button } from '../user.ts'
import { signInAtProvider, useOidcDemo } from './oidcDemo.ts'

interface Proof {
  url: string
  method: string
  authorization: string | undefined
  jwk: Record<string, string>
  claims: Record<string, unknown>
}

const decode = (part = ''): Record<string, unknown> =>
  JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>

/** Every proof that the pages of a browser send, as it stands in the request. */
function watchProofs(context: BrowserContext): Proof[] {
  const proofs: Proof[] = []
  context.on('request', (request: Request) => {
    const { dpop, authorization } = request.headers()
    if (dpop === undefined) return
    const [header, claims] = dpop.split('.')
    const jwk = decode(header)['jwk'] as Record<string, string>
    proofs.push({ url: request.url(), method: request.method(), authorization, jwk, claims: decode(claims) })
  })
  return proofs
}

const keysOf = (proofs: readonly Proof[]) => new Set(proofs.map(({ jwk }) => jwk['x']))
const tokenOf = async (page: Page) => (await authOf(page)).evaluate((auth) => auth.getAccessToken())
const HEADS = { without: false, with: true }

for (const [head, hasEarly] of Object.entries(HEADS))
  describe(`bound tokens, ${head} latchkey/early`, { tags: hasEarly ? ['thorough'] : [] }, () => {
    const demo = useOidcDemo({ isBound: true, hasEarly })
    const browsers = useBrowsers()

    async function openSignedIn({ hasTabs = false } = {}) {
      const page = hasTabs ? await (await browsers.openBrowser()).newPage() : await browsers.openPage()
      const context = page.context()
      // The first proof for an origin lacks the nonce that its refusal brings.
      browsers.expectOnConsole(/status of 40[01]/)
      const proofs = watchProofs(context)
      await page.goto(demo.origin)
      await signInAtProvider(page)
      await expectVisible(page.getByRole('complementary').getByText('anna', { exact: true }))
      return { context, page, proofs }
    }

    // The script in the head has no part in this.
    it.skipIf(hasEarly)(
      'sign in, renew, call an API and sign out, each request with a proof of its own by one key',
      async () => {
        const { page, proofs } = await openSignedIn()
        await button(page, 'Renew now').click()
        await expectVisible(page.getByText('1 in this tab'))
        const auth = await authOf(page)
        const { sub } = await auth.evaluate(
          (own, url) => own.fetch<{ sub: string }>(url),
          `${demo.issuer}/me`,
        )
        expect(sub).toBe('anna')
        expect(keysOf(proofs).size).toBe(1)
        for (const { url, method, claims } of proofs) {
          expect(claims).toMatchObject({ htu: url, htm: method })
          expect(Math.abs(Number(claims['iat']) - Date.now() / 1000)).toBeLessThan(120)
        }
        expect(new Set(proofs.map(({ claims }) => claims['jti'])).size).toBe(proofs.length)
        const calls = proofs.filter(({ url }) => url.endsWith('/me'))
        expect(calls.length).toBeGreaterThan(1)
        for (const { authorization = '', claims } of calls) {
          const [scheme, token = ''] = authorization.split(' ')
          expect(scheme).toBe('DPoP')
          expect(claims['ath']).toBe(createHash('sha256').update(token).digest('base64url'))
        }
        await button(page, 'Sign out').click()
        await page.getByRole('button', { name: 'Yes, sign me out' }).click()
        await expectHeading(page, 'You are signed out')
      },
    )

    it('are known to a second tab with their key, and to the page after a reload by a new one', async () => {
      const { context, page, proofs } = await openSignedIn({ hasTabs: true })
      const [key] = keysOf(proofs)
      demo.forget()
      const second = await context.newPage()
      await stopLongTimers(second)
      await second.goto(demo.origin)
      await expectSignedIn(second)
      await expectVisible(second.getByRole('complementary').getByText('anna', { exact: true }))
      expect(demo.asked().filter((request) => !request.endsWith(' /me'))).toEqual([])
      await button(second, 'Renew now').click()
      await expectVisible(second.getByText('1 in this tab'))
      expect(await tokenOf(second)).toBe(await tokenOf(page))
      expect([...keysOf(proofs)]).toEqual([key])
      await second.close()
      await page.reload()
      await expectSignedIn(page)
      await expectVisible(page.getByRole('complementary').getByText('anna', { exact: true }))
      expect(keysOf(proofs).size).toBe(2)
    })

    // The script in the head has no part in this.
    it.skipIf(hasEarly)(
      'are worth nothing to who has copied them: without a proof, and with one by another key',
      { tags: ['thorough'] },
      async () => {
        const { page } = await openSignedIn()
        const token = await tokenOf(page)
        const asked = await Promise.all(
          ['Bearer', 'DPoP'].map(async (scheme) =>
            fetch(`${demo.issuer}/me`, { headers: { authorization: `${scheme} ${token}` } }),
          ),
        )
        for (const { status } of asked) expect([400, 401]).toContain(status)
        const stolen = await page.evaluate(
          async ([url = '', bearer = '']) => {
            const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
            const base64Url = (data: Uint8Array) =>
              btoa(String.fromCharCode(...data))
                .replaceAll('+', '-')
                .replaceAll('/', '_')
                .replaceAll('=', '')
            const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
            const pair = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
            const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', pair.publicKey)
            const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(bearer))
            const attempt = async (nonce: string | null) => {
              const header = { typ: 'dpop+jwt', alg: 'ES256', jwk: { kty, crv, x, y } }
              const iat = Math.floor(Date.now() / 1000)
              const ath = base64Url(new Uint8Array(digest))
              const claims = {
                jti: crypto.randomUUID(),
                htm: 'GET',
                htu: url,
                iat,
                ath,
                ...(nonce && { nonce }),
              }
              const text = `${base64Url(bytes(header))}.${base64Url(bytes(claims))}`
              const signed = await crypto.subtle.sign(
                algorithm,
                pair.privateKey,
                new TextEncoder().encode(text),
              )
              const dpop = `${text}.${base64Url(new Uint8Array(signed))}`
              return fetch(url, { headers: { authorization: `DPoP ${bearer}`, dpop } })
            }
            const first = await attempt(null)
            const { status } = await attempt(first.headers.get('dpop-nonce'))
            return status
          },
          [`${demo.issuer}/me`, token],
        )
        expect(stolen).toBe(401)
      },
    )

    it(
      'leave no key, token or proof where a script or the next page could find one',
      { tags: ['thorough'] },
      async () => {
        const page = await browsers.openPage()
        browsers.expectOnConsole(/status of 40[01]/)
        const proofs = watchProofs(page.context())
        // What a script of the page could get hold of: the handle of the key as it is made.
        await page.addInitScript(() => {
          // The first page of a tab is no secure one.
          if (!isSecureContext) return
          const { subtle } = crypto
          const make = subtle.generateKey.bind(subtle) as (...words: unknown[]) => Promise<CryptoKeyPair>
          const made: CryptoKeyPair[] = []
          Object.assign(window, { made })
          Object.assign(subtle, {
            async generateKey(...words: unknown[]) {
              const pair = await make(...words)
              if ('privateKey' in pair) made.push(pair)
              return pair
            },
          })
        })
        await page.goto(demo.origin)
        await signInAtProvider(page)
        await expectVisible(page.getByRole('complementary').getByText('anna', { exact: true }))
        const exported = await page.evaluate(async () =>
          Promise.all(
            (Reflect.get(window, 'made') as CryptoKeyPair[]).flatMap(({ privateKey }) =>
              ['jwk', 'pkcs8'].map(async (format) =>
                crypto.subtle.exportKey(format as 'jwk', privateKey).then(
                  () => 'exported',
                  () => 'refused',
                ),
              ),
            ),
          ),
        )
        expect(exported).toEqual(['refused', 'refused'])
        const kept = await page.evaluate(async () =>
          JSON.stringify([
            Object.entries(localStorage),
            Object.entries(sessionStorage),
            await indexedDB.databases(),
            document.cookie,
            location.href,
            document.documentElement.outerHTML,
          ]),
        )
        const secrets = proofs.flatMap(({ claims, jwk }) => [claims['jti'], claims['nonce'], jwk['x']])
        const canaries = [...secrets, await tokenOf(page)].filter((one) => typeof one === 'string')
        expect(canaries.length).toBeGreaterThan(3)
        for (const canary of canaries) expect(kept).not.toContain(canary)
        for (const line of browsers.consoleLines())
          for (const canary of canaries) expect(line).not.toContain(canary)
      },
    )
  })

describe('bound tokens, asked for by a call before (PAR)', { tags: ['thorough'] }, () => {
  const demo = useOidcDemo({ isBound: true, isPushed: true })
  const browsers = useBrowsers()

  it('sign in, and the address of the sign-in page holds nothing but who asks', async () => {
    browsers.expectOnConsole(/status of 40[01]/)
    const page = await browsers.openPage()
    const addresses: URL[] = []
    page.on('request', (request) => {
      if (request.url().startsWith(`${demo.issuer}/auth?`)) addresses.push(new URL(request.url()))
    })
    await page.goto(demo.origin)
    await signInAtProvider(page)
    await expectEventually(() => demo.count('POST /request') > 0, true)
    expect(addresses.length).toBeGreaterThan(0)
    for (const { searchParams } of addresses)
      expect([...searchParams.keys()].toSorted()).toEqual(['client_id', 'request_uri'])
  })
})
