// What only Keycloak shows in a real browser: organizations, and levels of a sign-in.
import { createHmac } from 'node:crypto'
import type { Page } from 'playwright'
import { readJwt } from '../../../../src/protocol/claims.ts'
import { arrive, type ChromiumCase, goAndReturn, mustBe, stateOf, tokenOf } from '../chromium.ts'
import { must } from '../rig.ts'
import type { RunningServer } from '../server.ts'
import { adaOf, adminOf } from './admin.ts'
import { OTP_SECRET } from './realms.ts'

/** An app of another realm than `staff`. */
const inRealm = ({ options }: RunningServer, realm: string) => ({
  ...options,
  issuer: options.issuer.replace(/staff$/, realm),
})

const firmOf = async (page: Page) => (await stateOf(page)).firmId

/** How a switch ends, without a question: the code of its error, or 'switched'. */
const switchTo = async (page: Page, organization: string): Promise<string> =>
  page.evaluate(
    async (name) =>
      window.auth!.switchTo({ organization: name, display: 'silent' }).then(
        () => 'switched',
        (error: unknown) => String(Object(error).code),
      ),
    organization,
  )

/** The next visit in the same tab: after another site, the server is asked. Resolves with how many of its pages came. */
async function visitAgain(page: Page, app: string): Promise<number> {
  const asks = page.waitForRequest((request) => request.url().includes('/openid-connect/auth?'))
  await page.goto('about:blank')
  await page.goto(app)
  await asks
  const count = await arrive(page, app)
  await mustBe(page, 'authenticated')
  return count
}

/** Each of these goes on from the one before. */
const ORGANIZATIONS: readonly ChromiumCase[] = [
  {
    title: 'a user of two organizations',
    settings: (server) => ({
      options: { ...inRealm(server, 'firms'), organization: { scope: 'organization:{organization}' } },
      scopes: ['openid', 'profile', 'organization'],
    }),
    async run({ context, app }) {
      const page = await context.newPage()
      await page.goto(app)
      await arrive(page, app)
      await mustBeIn(page, 'acme')
      must((await visitAgain(page, app)) === 0, 'the next visit asks for the organization again')
      await mustBeIn(page, 'acme')
      const there = await switchTo(page, 'globex')
      must(there === 'switched', there)
      await mustBeIn(page, 'globex')
      return 'signed in for acme, at the next visit too; switched to globex'
    },
  },
  {
    title: 'an organization of others',
    async run({ context, app }) {
      const [page] = context.pages()
      const token = await tokenOf(page!)
      const foreign = await switchTo(page!, 'initech')
      must(foreign === 'switch-refused', foreign)
      must((await tokenOf(page!)) === token, 'another token after it')
      // At the sign-in page the user can do it: the tokens that come name no organization.
      const onPage = () => void window.auth!.switchTo({ organization: 'initech', display: 'page' })
      must((await goAndReturn(page!, app, onPage)) > 0, 'no page of the server')
      await mustBeIn(page!, 'globex')
      const told = await page!.evaluate(() => window.auth!.explain().map(({ error }) => error?.code))
      must(told.includes('switch-refused'), `told of ${told.join(' ')}`)
      must((await visitAgain(page!, app)) === 0, 'the next visit asks for the password')
      await mustBeIn(page!, 'globex')
      return `${foreign}, by the frame and by the sign-in page; globex as it was, and at the next visit`
    },
  },
  {
    title: 'a membership that ends',
    async run({ server, context, app }) {
      const admin = adminOf(server)
      const [page] = context.pages()
      const [globex] = await admin<{ id: string }[]>('GET', '/firms/organizations?exact=true&search=globex')
      await admin('DELETE', `/firms/organizations/${globex!.id}/members/${await adaOf(admin, 'firms')}`)
      const counts: number[] = []
      for (const _ of [1, 2, 3]) counts.push(await visitAgain(page!, app))
      must(counts[1] === 0 && counts[2] === 0, `pages of the server at three visits: ${counts.join(', ')}`)
      return `pages of the server at the next three visits: ${counts.join(', ')}; then in ${String(await firmOf(page!))}`
    },
  },
]

const STEP_UP: readonly ChromiumCase[] = [
  {
    title: 'a step-up by acr',
    settings: (server) => ({ options: inRealm(server, 'levels') }),
    async run({ context, app }) {
      const seen: unknown[] = []
      // An API of the app's own origin that wants a code.
      await context.route(`${app}api/payouts`, async (route) => {
        const [, token = ''] = (route.request().headers()['authorization'] ?? '').split(' ')
        seen.push(readJwt(token)?.['acr'])
        const challenge = 'Bearer error="insufficient_user_authentication", acr_values="code"'
        await route.fulfill(
          seen.at(-1) === 'code'
            ? { body: 'paid' }
            : { status: 401, headers: { 'www-authenticate': challenge } },
        )
      })
      const page = await context.newPage()
      await page.goto(app)
      await arrive(page, app)
      must((await payOut(page)) === 'step-up-required', 'the API takes the call')
      const stepUp = () => void window.auth!.stepUp(Reflect.get(window, 'refusal'))
      const count = await goAndReturn(page, app, stepUp, { '[name=otp]': oneTimeCode() })
      must(count === 1, `${count} pages of the server`)
      must((await payOut(page)) === 'paid', `acr ${seen.join(', ')}`)
      await page.evaluate(async () => window.auth!.renew({ force: true }))
      must((await payOut(page)) === 'paid', `after a renewal: acr ${seen.join(', ')}`)
      return `the code alone is asked for, and the API takes the call, after a renewal too: acr ${seen.join(', ')}`
    },
  },
]

export const KEYCLOAK_PAGES = [ORGANIZATIONS, STEP_UP]

async function mustBeIn(page: Page, firm: string): Promise<void> {
  await mustBe(page, 'authenticated')
  const found = await firmOf(page)
  must(found === firm, `works for ${String(found)}, not for ${firm}`)
}

/** What a call of the API comes to: the code of its error, or what it says. */
const payOut = async (page: Page): Promise<string> =>
  page.evaluate(async () =>
    window.auth!.fetch<string>('/api/payouts', { method: 'POST' }).catch((error: unknown) => {
      Reflect.set(window, 'refusal', error)
      return String(Object(error).code)
    }),
  )

/** What an authenticator app shows (RFC 6238). */
function oneTimeCode(): string {
  const time = Buffer.alloc(8)
  time.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)))
  const hash = createHmac('sha1', OTP_SECRET).update(time).digest()
  const number = hash.readUInt32BE(hash.at(-1)! & 15) & 0x7f_ff_ff_ff
  return String(number % 1_000_000).padStart(6, '0')
}
