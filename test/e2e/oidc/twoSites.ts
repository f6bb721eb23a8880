// An app whose provider is on another site, in a Chromium that keeps third-party cookies out: the hidden frame sees nobody signed in.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { type OidcServer, startOidcServer } from '../../../demo/servers/oidc/startOidcServer.ts'
import { chromiumLaunchOptions } from '../../../scripts/findChromium.ts'
import { PATIENCE_MS } from '../fixture.ts'
import { openRecipeSite, type RecipeSite } from '../pages/recipeApps.ts'

/** As a user switches "Block third-party cookies" on. */
const PREFERENCES = { profile: { cookie_controls_mode: 1, block_third_party_cookies: true } }

/**
 * The app is at `localhost`, the provider at `127.0.0.1`: two sites, each with a port of its own.
 *
 * @param appOf `recipe.tsx` and `main.tsx` of an app that uses this issuer
 */
export function createTwoSites(
  appOf: (issuer: string) => { recipe: string; main: string },
  options: { accessTokenSeconds: number },
) {
  let provider: OidcServer
  let site: RecipeSite
  let context: BrowserContext | undefined
  let folder: string
  let faults: string[] = []
  let asked: string[] = []

  beforeAll(async () => {
    provider = await startOidcServer({
      ...options,
      host: '127.0.0.1',
      onRequest: (request) => void asked.push(request),
    })
    site = await openRecipeSite()
    await site.serve([appOf(provider.issuer)])
  })
  afterAll(async () => Promise.all([site.close(), provider.close()]))

  beforeEach(async () => {
    asked = []
    faults = []
    folder = mkdtempSync(join(tmpdir(), 'latchkey-two-sites-'))
    mkdirSync(join(folder, 'Default'))
    writeFileSync(join(folder, 'Default/Preferences'), JSON.stringify(PREFERENCES))
    // Not the headless shell: it knows no preferences.
    const launch = chromiumLaunchOptions({ hasBackForwardCache: true })
    context = await chromium.launchPersistentContext(folder, launch)
    context.setDefaultTimeout(PATIENCE_MS)
    context.on('page', (page) => page.on('pageerror', ({ message }) => faults.push(message)))
  })
  afterEach(async () => {
    await context?.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    expect(faults).toEqual([])
  })

  return {
    get origin() {
      return site.origin
    },
    get issuer() {
      return provider.issuer
    },
    newPage: async () => context!.newPage(),
    /** How often the provider was asked this: 'GET /auth'. */
    count: (request: string) => asked.filter((one) => one === request).length,
  }
}
