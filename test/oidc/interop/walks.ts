// What is walked through with a server that somebody else wrote: the checks of `npx latchkey check`, then each case of a whole session.
import { checkServer } from '../../../src/cli/check/checkServer.ts'
import { createBrowser } from './browser.ts'
import { createRig } from './rig.ts'
import type { InteropServer, RunningServer, Walk } from './server.ts'
import { SESSION_CASES } from './sessionCases.ts'

export interface Step {
  readonly title: string
  readonly isRight: boolean
  readonly found: string
}

const LARGEST_PAGE_COUNT = 40

type Known = Partial<Pick<InteropServer, 'deviations' | 'leftOut' | 'further'>>

/** The checks that a server's author runs, with a sign-in. What is known to deviate may. */
export async function walkChecks(
  server: RunningServer,
  app: string,
  { deviations = {} }: Known,
): Promise<Step[]> {
  const { options, clientId, scopes } = server
  // The check listens at the app's address, and sends the browser on from there.
  const browser = createBrowser('none:')
  const findings = await checkServer({
    address: options.issuer ?? '',
    clientId,
    scopes,
    redirectUri: app,
    isOidc: true,
    discoveryUrl: options.discoveryUrl,
    isBound: options.dpop === 'required',
    hasSignIn: true,
    tell: (line) => void visitAll({ server, browser, app }, /http\S+/.exec(line)?.[0] ?? ''),
  })
  return findings.map(({ id, promise, verdict, fault, reason }) => ({
    title: id,
    isRight: verdict !== 'broken' || id in deviations,
    found: fault?.wrong ?? (reason === undefined ? promise : `not checked: ${reason}`),
  }))
}

/** Each visit leads on to the next. A person who cannot go on at a page goes back to the app. */
async function visitAll({ server, browser, app }: Walk, url: string): Promise<void> {
  let page = await browser.open({ url })
  for (let count = 0; !page.url.startsWith(app) && count < LARGEST_PAGE_COUNT; count += 1)
    page = await server
      .act(page, browser, 'yes')
      .catch(() => browser.open({ url: `${app}?error=no-way-on-from-${page.status}` }))
}

/** No case needs the one before: one that fails stops no other. */
export async function walkSession(
  server: RunningServer,
  app: string,
  { leftOut = {}, further = [] }: Known = {},
): Promise<Step[]> {
  const steps: Step[] = []
  for (const { title, run } of [...SESSION_CASES, ...further]) {
    const reason = leftOut[title]
    if (reason !== undefined) {
      steps.push({ title, isRight: true, found: `left out: ${reason}` })
      continue
    }
    const rig = createRig(server, app)
    try {
      steps.push({ title, isRight: true, found: await run(rig) })
    } catch (error) {
      steps.push({ title, isRight: false, found: error instanceof Error ? error.message : String(error) })
    } finally {
      rig.close()
    }
  }
  return steps
}
