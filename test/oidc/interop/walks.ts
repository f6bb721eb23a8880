// What is walked through with a server that somebody else wrote: the checks of `npx latchkey check`, then each case of a whole session.
import { setTimeout as wait } from 'node:timers/promises'
import { checkServer } from '../../../src/cli/check/checkServer.ts'
import { createBrowser } from './browser.ts'
import { createRig, type SessionCase } from './rig.ts'
import type { InteropServer, RunningServer, Walk } from './server.ts'
import { SESSION_CASES } from './sessionCases.ts'

export interface Step {
  readonly title: string
  readonly isRight: boolean
  readonly found: string
}

const LARGEST_PAGE_COUNT = 40
/** A case that waits for what never comes ends here, by its name. */
const LONGEST_CASE_MS = 300_000
/** Hears of each step as soon as it is over. */
export type Tell = (step: Step) => void

type Known = Partial<Pick<InteropServer, 'deviations' | 'leftOut' | 'further'>>

/** The checks that a server's author runs, with a sign-in. What is known to deviate may. */
export async function walkChecks(
  server: RunningServer,
  app: string,
  { deviations = {} }: Known,
  tell: Tell = () => {},
): Promise<Step[]> {
  const { options, clientId, scopes } = server
  // The check listens at the app's address, and sends the browser on from there.
  const browser = createBrowser('none:')
  const checking = checkServer({
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
  const steps = (await limited('the checks', checking)).map(({ id, promise, verdict, fault, reason }) => ({
    title: id,
    isRight: verdict !== 'broken' || id in deviations,
    found: fault?.wrong ?? (reason === undefined ? promise : `not checked: ${reason}`),
  }))
  steps.forEach(tell)
  return steps
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
  tell: Tell = () => {},
): Promise<Step[]> {
  const steps: Step[] = []
  for (const { title, run } of [...SESSION_CASES, ...further]) {
    const reason = leftOut[title]
    if (reason === undefined) steps.push(await stepOf(title, server, app, run))
    else steps.push({ title, isRight: true, found: `left out: ${reason}` })
    tell(steps.at(-1)!)
  }
  return steps
}

async function stepOf(
  title: string,
  server: RunningServer,
  app: string,
  run: SessionCase['run'],
): Promise<Step> {
  const rig = createRig(server, app)
  try {
    return { title, isRight: true, found: await limited(title, run(rig)) }
  } catch (error) {
    const asked = rig.requests.slice(-3).join(', ')
    const found = error instanceof Error ? error.message : String(error)
    return { title, isRight: false, found: `${found}; asked at last: ${asked}` }
  } finally {
    rig.close()
  }
}

export async function limited<Result>(title: string, work: Promise<Result>): Promise<Result> {
  const isOver = new AbortController()
  const limit = wait(LONGEST_CASE_MS, undefined, { signal: isOver.signal }).then(() => {
    throw new Error(`Not within ${LONGEST_CASE_MS / 1000} s: ${title}`)
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    isOver.abort()
  }
}
