// Where the bearer token of auth.fetch goes in a real browser: to the address that was judged, and nowhere else.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authOf } from '../authOf.ts'
import { useDemo } from '../fixture.ts'
import { openSignedIn } from '../user.ts'

describe('the bearer token', () => {
  // Without a policy that would stop it: no base-uri, any address to connect to.
  const demo = useDemo({ contentSecurityPolicy: "default-src * data: blob: 'unsafe-inline'" })
  const seen: { path: string; bearer: string | undefined }[] = []
  const stranger = createServer((request, response) => {
    if (request.method !== 'OPTIONS')
      seen.push({ path: request.url ?? '', bearer: request.headers.authorization })
    response.writeHead(200, {
      'access-control-allow-origin': request.headers.origin ?? '*',
      'access-control-allow-headers': 'authorization',
      'content-type': 'application/json',
    })
    response.end('{}')
  })
  const strange = () => `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`

  beforeAll(async () => new Promise<void>((resolve) => void stranger.listen(0, '127.0.0.1', resolve)))
  afterAll(() => void stranger.close())

  /** What the app's own server and the stranger saw of one call. */
  async function callFrom(page: Page, input: string, how: 'text' | 'URL' | 'Request' = 'text') {
    const sent: (readonly [string, boolean])[] = []
    await page.route(`${demo.origin}/**/api/**`, async (route) => {
      const request = route.request()
      sent.push([request.url(), 'authorization' in (await request.allHeaders())])
      await route.fulfill({ json: {} })
    })
    seen.length = 0
    const auth = await authOf(page)
    const outcome = await auth.evaluate(
      async (client, [address, kind]) => {
        try {
          const made =
            kind === 'URL' ? new URL(address!) : kind === 'Request' ? new Request(address!) : address!
          await client.fetch.native(made)
          return 'answered'
        } catch (error) {
          return (error as Error).name
        }
      },
      [input, how],
    )
    await page.unroute(`${demo.origin}/**/api/**`)
    return { outcome, sent, seen: [...seen] }
  }

  it('goes to no other origin, however the address is written, where a redirect leads there, and where a <base> does', async () => {
    const page = await demo.openPage()
    await openSignedIn(page, `${demo.origin}/activity`, 'anna')
    for (const how of ['text', 'URL', 'Request'] as const) {
      const { outcome, seen: there } = await callFrom(page, `${strange()}/x`, how)
      expect([how, outcome, there]).toEqual([how, 'answered', [{ path: '/x', bearer: undefined }]])
    }
    const { seen: relative } = await callFrom(page, strange().replace('http:', ''))
    expect(relative).toEqual([{ path: '/', bearer: undefined }])
    const withUser = await callFrom(page, `${demo.origin.replace('//', '//user:secret@')}/a/api/x`)
    expect(withUser).toEqual({ outcome: 'TypeError', sent: [], seen: [] })
    const blob = await page.evaluate(() => URL.createObjectURL(new Blob(['{}'])))
    expect(await callFrom(page, blob)).toEqual({ outcome: 'answered', sent: [], seen: [] })

    // The app's own origin answers with the redirect.
    await page.route(`${demo.origin}/moved/api/x`, async (route) =>
      route.fulfill({ status: 302, headers: { location: `${strange()}/redirected` } }),
    )
    const auth = await authOf(page)
    seen.length = 0
    const redirected = await auth.evaluate(async (client) =>
      client.fetch.native('/moved/api/x').then(
        () => 'answered',
        (error: unknown) => (error as Error).name,
      ),
    )
    expect([redirected, seen]).toEqual(['TypeError', []])

    await page.evaluate((href) => {
      document.head.prepend(Object.assign(document.createElement('base'), { href }))
    }, `${strange()}/steal/`)
    expect(await page.evaluate(() => new URL('api/x', document.baseURI).href)).toBe(
      `${strange()}/steal/api/x`,
    )
    const call = await callFrom(page, 'a/api/x')
    expect(call).toEqual({ outcome: 'answered', sent: [[`${demo.origin}/a/api/x`, true]], seen: [] })
    // What the browser itself has made of a text before latchkey saw it goes there without the token.
    const request = await callFrom(page, 'a/api/x', 'Request')
    expect(request.seen).toEqual([{ path: '/steal/a/api/x', bearer: undefined }])
  })
})
