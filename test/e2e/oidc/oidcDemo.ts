// The demo's app on an OpenID Connect provider, and the provider's own pages, as the tests use them.
import type { Page } from 'playwright'
import { afterAll, beforeAll, beforeEach, inject } from 'vitest'
import { type OidcDemo, type OidcDemoOptions, startOidcDemo } from '../../../demo/startOidcDemo.ts'
import { expectSignedIn } from '../page.ts'

/** The app on the provider, and what the provider was asked. */
export function useOidcDemo({
  accessTokenLifetimeSeconds,
  auth,
  policy,
  isBound,
  isPushed,
  ...app
}: { hasEarly?: boolean } & Pick<
  OidcDemoOptions,
  'accessTokenLifetimeSeconds' | 'auth' | 'isBound' | 'isPushed' | 'policy'
> = {}) {
  let demo: OidcDemo | undefined
  let asked: string[] = []
  beforeAll(async () => {
    demo = await startOidcDemo({
      app: { from: 'build', folder: inject('appFolder'), ...app },
      ...(accessTokenLifetimeSeconds !== undefined && { accessTokenLifetimeSeconds }),
      ...(auth && { auth }),
      policy,
      isBound,
      isPushed,
      onRequest: (request) => asked.push(request),
    })
  })
  beforeEach(() => {
    asked = []
  })
  afterAll(async () => demo?.close())
  return {
    get origin() {
      return demo!.origin
    },
    get issuer() {
      return demo!.server.issuer
    },
    asked: () => asked,
    count: (request: string) => asked.filter((one) => one === request).length,
    forget: () => {
      asked = []
    },
  }
}

/** The provider's own pages: who it is, then consent. */
export async function signInAtProvider(page: Page): Promise<void> {
  await enterName(page)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expectSignedIn(page)
}

export async function enterName(page: Page, name = 'anna'): Promise<void> {
  await page.locator('input[name=login]').fill(name)
  await page.locator('input[name=password]').fill('any')
  await page.locator('button[type=submit]').click()
}
