// A whole sign-in in a real browser: the browser's requests to the authorization server are answered by a fake one in this process.
import { createFakeAuthServer, createFakeUser } from 'latchkey/testing'
import { expect, type Page, test } from 'playwright/test'

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'authorization, content-type',
  'access-control-allow-methods': 'GET, POST',
}

/** Nobody is signed in at the server until somebody visits its sign-in page. */
async function useFakeServer(page: Page) {
  const server = createFakeAuthServer({ user: undefined, now: Date.now })
  await page.route('https://auth.test/**', async (route) => {
    const request = route.request()
    const address = new URL(request.url())
    if (request.method() === 'OPTIONS') return route.fulfill({ status: 204, headers: CORS })
    if (address.pathname === '/oauth/logout') {
      server.user = undefined
      const back = new URL(address.searchParams.get('post_logout_redirect_uri') ?? '')
      back.searchParams.set('state', address.searchParams.get('state') ?? '')
      return route.fulfill({ status: 302, headers: { location: back.href } })
    }
    if (address.pathname === '/oauth/authorize') {
      const isFrame = address.searchParams.get('prompt') === 'none'
      if (!isFrame) server.user = createFakeUser({ userId: 'bob' })
      const callback = server.callbackOf(address.href, server.user ? undefined : 'login_required')
      if (!isFrame) return route.fulfill({ status: 302, headers: { location: callback } })
      const { origin, searchParams } = new URL(callback)
      const message = { type: 'authorization_response', response: Object.fromEntries(searchParams) }
      const body = `<script>parent.postMessage(${JSON.stringify(message)}, ${JSON.stringify(origin)})</script>`
      return route.fulfill({ contentType: 'text/html', body })
    }
    const headers = await request.allHeaders()
    const answer = await server.fetch(address, {
      method: request.method(),
      headers: { authorization: headers['authorization'] ?? '', 'content-type': 'application/json' },
      body: request.postData(),
    })
    return route.fulfill({
      status: answer.status,
      headers: CORS,
      contentType: 'application/json',
      body: await answer.text(),
    })
  })
  await page.route('**/api/invoices', (route) =>
    new URL(route.request().url()).host === 'auth.test'
      ? route.fallback()
      : route.fulfill({ json: [{ id: '1', customer: 'Bakery' }] }),
  )
  return server
}

test('signs in by itself, stays signed in over a reload, and signs out', async ({ page }) => {
  const server = await useFakeServer(page)
  await page.goto('/?page=2#paid')
  await expect(page.getByRole('heading', { name: 'Hello Name of bob' })).toBeVisible()
  await expect(page.getByText('Bakery')).toBeVisible()
  expect(page.url()).toMatch(/\/\?page=2#paid$/)

  await page.reload()
  await expect(page.getByRole('heading', { name: 'Hello Name of bob' })).toBeVisible()
  expect(server.tokenRequests).toEqual([
    { grantType: 'authorization_code', isGranted: true },
    { grantType: 'authorization_code', isGranted: true },
  ])

  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByText('You are signed out.')).toBeVisible()
})
