// What is walked through with a server that somebody else wrote: the checks of `npx latchkey check`, then each case of a whole session.
import { setTimeout as wait } from 'node:timers/promises'
import { checkServer } from '../../../src/cli/check/checkServer.ts'
import { createBrowser } from './browser.ts'
import { createRig, type SessionCase } from './rig.ts'
import { type RunningServer, workThrough } from './server.ts'
import { SESSION_CASES } from './sessionCases.ts'

export interface Step {
  readonly title: string
  readonly isRight: boolean
  readonly found: string
}

/** A case that waits for what never comes ends here, by its name. */
const LONGEST_CASE_MS = 300_000
/** Hears of each step as soon as it is over. */
export type Tell = (step: Step) => void

/** What is known of a server before its walk. */
export interface Known {
  /** Where it deviates from a standard, and what latchkey does about it; by the check's id or the case's title. */
  readonly deviations?: Readonly<Record<string, string>>
  /** Cases that only this server has. */
  readonly further?: readonly SessionCase[]
  /** Why a case cannot be walked through there; by its title. */
  readonly leftOut?: Readonly<Record<string, string>>
}

/** The checks that a server's author runs, with a sign-in. What is known to deviate may. */
export async function walkChecks(
  server: RunningServer,
  app: string,
  { deviations = {} }: Known,
  tell: Tell = () => {},
): Promise<Step[]> {
  const { options, clientId, scopes } = server
  // The check listens at the app's address, and sends the browser on from there: each visit leads to the next.
  const browser = createBrowser('none:')
  // A person who cannot go on at a page goes back to the app.
  const act: RunningServer['act'] = async (page) =>
    server
      .act(page, browser, 'yes')
      .catch(async () => browser.open({ url: `${app}?error=no-way-on-from-${page.status}` }))
  const visit = async (url = '') =>
    workThrough({ server: { ...server, act }, browser, app }, await browser.open({ url }))
  const checking = checkServer({
    address: options.issuer ?? '',
    clientId,
    scopes,
    redirectUri: app,
    isOidc: true,
    discoveryUrl: options.discoveryUrl,
    isBound: options.dpop === 'required',
    hasSignIn: true,
    tell: (line) => void visit(/http\S+/.exec(line)?.[0]),
  })
  const steps = (await limited('the checks', checking)).map(({ id, promise, verdict, fault, reason }) => ({
    title: id,
    isRight: verdict !== 'broken' || id in deviations,
    found: fault?.wrong ?? (reason === undefined ? promise : `not checked: ${reason}`),
  }))
  steps.forEach(tell)
  return steps
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
    if (reason === undefined) {
      const rig = createRig(server, app)
      const where = () => `asked at last: ${rig.requests.slice(-3).join(', ')}`
      steps.push(await stepOf(title, run(rig), where))
      rig.close()
    } else steps.push({ title, isRight: true, found: `left out: ${reason}` })
    tell(steps.at(-1)!)
  }
  return steps
}

/** @param where Says, where the work fails, how far it has come. */
export async function stepOf(title: string, work: Promise<string>, where: () => string): Promise<Step> {
  try {
    return { title, isRight: true, found: await limited(title, work) }
  } catch (error) {
    return { title, isRight: false, found: `${String(error)}; ${where()}` }
  }
}

async function limited<Result>(title: string, work: Promise<Result>): Promise<Result> {
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
