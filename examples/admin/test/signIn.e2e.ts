// A whole sign-in in a real browser: a fake authorization server in this process responds to the browser's requests.
import { expect, test } from 'playwright/test'
import { signInAs } from './signInAs.ts'

test.beforeEach(({ page }) =>
  page.route('/api/invoices', (route) => route.fulfill({ json: [{ id: '1', customer: 'Bakery' }] })),
)

test('signs in by itself, stays signed in over a reload, and signs out', async ({ page }) => {
  const { server } = await signInAs(page, { userId: 'bob' }, { viaSignInPage: true })
  await page.goto('/?page=2#paid')
  await expect(page.getByRole('heading', { name: 'Hello Name of bob' })).toBeVisible()
  await expect(page.getByText('Bakery')).toBeVisible()
  expect(page.url()).toMatch(/\/\?page=2#paid$/)

  await page.reload()
  await expect(page.getByRole('heading', { name: 'Hello Name of bob' })).toBeVisible()
  expect(server.tokenRequests.every(({ isGranted }) => isGranted)).toBe(true)

  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByText('You are signed out.')).toBeVisible()
})

test('is signed in without a page of the server, and another tab is too', async ({ page, context }) => {
  await signInAs(page, { userId: 'bob', impersonatorId: 'alice' })
  await page.goto('/')
  await expect(page.getByText('You are alice, working as bob.')).toBeVisible()
  const other = await context.newPage()
  await other.goto('/')
  await expect(other.getByText('You are alice, working as bob.')).toBeVisible()
})

test('stays at the sign-in page where nobody can sign in', async ({ page }) => {
  await signInAs(page, null)
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  expect(page.url()).toMatch(/^https:\/\/auth\.test\/oauth\/authorize\?/)
})
