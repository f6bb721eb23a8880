// Signs the same person in for another organization or firm; until that succeeds, the session stays. Loads later.
import { AuthError } from '../../base/errors.ts'
import { memberOf, recordOf } from '../../base/json.ts'
import type { User } from '../../protocol/claims.ts'
import { type Credentials, type Granted, parseSwitched } from '../../protocol/credentials.ts'
import { identityOf, sameId } from '../../protocol/identity.ts'
import { type FurtherParameters, loginParameters } from '../../protocol/loginParameters.ts'
import {
  hintOf,
  isOfTemplate,
  judgeSwitch,
  organizationsOf,
  scopesFor,
  type WantedSwitch,
} from '../../protocol/switchTo.ts'
import { identityChanged, invalidArgument, notAuthenticated, notSupported } from '../../base/sessionErrors.ts'
import { switchRefused } from '../../base/stepUpErrors.ts'
import type { SwitchOptions } from '../auth.ts'
import type { Context } from '../context.ts'
import type { SendEvent } from '../sessionEvent.ts'
import type { SignInRequest } from '../signIn/signInRequest.ts'
import { validateOrRevoke, validateStrength } from './stepUp.ts'

const STEP = 'switch'
/** After one of these the user can be asked. Any other refusal would repeat on the sign-in page. */
const ASKS_USER = ['login-required', 'iframe-timeout', 'iframe-blocked']
const LARGEST_FROM_COUNT = 20

export interface Switching {
  signal(): AbortSignal
  stillCounts(): boolean
  send: SendEvent
  logIn(request: SignInRequest): Promise<void>
}

/** The switch in flight, by the store of its auth object. */
const underWay = new WeakMap<object, { key: string; control: AbortController; done: Promise<void> }>()

/** @throws AuthError see `Auth.switchTo` */
export async function switchTo(options: SwitchOptions, context: Context, session: Switching): Promise<void> {
  const wanted = checked(options)
  const { tokens, store } = context
  const { current } = tokens
  if (!current || store.state.status !== 'authenticated') throw notAuthenticated()
  if (isThere(wanted, current)) return undefined
  const key = JSON.stringify([wanted.organization, wanted.firmId, wanted.parameters, wanted.display])
  const former = underWay.get(store)
  if (former?.key === key && !former.control.signal.aborted) return former.done
  // The newest click wins.
  former?.control.abort(switchRefused('another switch was asked for'))
  const control = new AbortController()
  const done = run(wanted, context, session, control).finally(() => {
    if (underWay.get(store)?.done === done) underWay.delete(store)
  })
  underWay.set(store, { key, control, done })
  return done
}

async function run(
  options: SwitchOptions,
  context: Context,
  session: Switching,
  control: AbortController,
): Promise<void> {
  const { tokens, timeline, tokenEndpoint, store, page, disposal } = context
  const { organization, firmId, display, returnTo, isSameUser } = options
  const current = tokens.current!
  const before = { ...current.claims } as User
  const { signal } = control
  const stop = () => control.abort(notAuthenticated())
  const disposed = disposal()
  const over = new AbortController()
  for (const end of [session.signal(), page(), disposed])
    end.addEventListener('abort', stop, { signal: over.signal })
  timeline.record(STEP, 'started', display)
  try {
    const parameters = await parametersOf(options, context)
    signal.throwIfAborted()
    const from = [...(current.switched?.from ?? []), identityOf(before)].slice(-LARGEST_FROM_COUNT)
    const wanted: WantedSwitch = {
      organization,
      firmId,
      before,
      switched: { parameters, from },
      isLenient: isSameUser !== undefined,
      mustName: parameters['scope'] !== undefined || organizationsOf(current).length > 0,
    }
    const check = (granted: Granted) => {
      // After a logout or a later switch.
      const isOver = !session.stillCounts()
      signal.throwIfAborted()
      if (isOver || store.state.status === 'redirecting') throw notAuthenticated()
      if (isSameUser && !isSameUser(before, granted.claims)) throw identityChanged()
      judgeSwitch(granted, wanted)
    }
    const refusal = await silently(parameters, check)
    if (!refusal) return timeline.record(STEP, 'done')
    if (display === 'silent') throw refused(refusal)
    const way = { further: parameters, loginHint: isSameUser ? undefined : hintOf(current) }
    if (display !== 'page' && (await inWindow(way, check))) return timeline.record(STEP, 'done')
    signal.throwIfAborted()
    const stepUp = { ...(!isSameUser && { user: before }), switchTo: wanted }
    return await session.logIn({ ...way, returnTo, stepUp })
  } catch (error) {
    timeline.record(STEP, 'failed', error instanceof AuthError ? error : undefined)
    throw error
  } finally {
    over.abort()
  }

  /** Resolves with the reason to ask the user; `undefined` after a successful switch. */
  async function silently(
    parameters: FurtherParameters,
    check: (granted: Granted) => void,
  ): Promise<AuthError | undefined> {
    let granted: Granted
    try {
      const ask = () => tokenEndpoint.askFrame(signal, false, parameters)
      granted = await context.caches.show('verify session', ask)
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof AuthError)) throw error
      if (ASKS_USER.includes(error.code)) return error
      // The server is away: that is no refusal.
      throw error.retryable ? error : refused(error)
    }
    // After `dispose()` the session continues: do not revoke its tokens.
    if (disposed.aborted) throw signal.reason
    validateOrRevoke(granted, context, () => check(granted))
    await session.send({ type: 'granted', granted, via: 'silent' })
    return undefined
  }

  /** False if the browser blocks the popup: the click may be too long ago. */
  async function inWindow(way: SignInRequest, check: (granted: Granted) => void): Promise<boolean> {
    try {
      await session.logIn({ ...way, display: 'popup', check })
      return true
    } catch (error) {
      signal.throwIfAborted()
      if (display !== 'popup' && error instanceof AuthError && error.code === 'popup-blocked') return false
      throw error
    }
  }
}

/** Validates the tokens after the redirect of a switch or step-up. @throws AuthError `identity-changed`, `switch-refused`, `step-up-refused` */
export function validateReturn(
  granted: Granted,
  kept: unknown,
  context: Parameters<typeof validateStrength>[2] & Pick<Context, 'revoke'>,
): void {
  const wanted = memberOf(kept, 'switchTo')
  const { before, switched, ...others } = recordOf(wanted) as unknown as WantedSwitch
  validateOrRevoke(granted, context, () => {
    if (wanted === undefined) return validateStrength(granted, kept, context)
    const parsed = parseSwitched(switched) ?? { parameters: {}, from: [] }
    judgeSwitch(granted, { ...others, before: recordOf(before) as unknown as User, switched: parsed })
  })
}

/** The parameters of the request. @throws AuthError `not-supported` */
async function parametersOf(
  { organization, firmId, parameters = {} }: SwitchOptions,
  { server, settings }: Pick<Context, 'server' | 'settings'>,
): Promise<FurtherParameters> {
  const wanted = organization ?? (Object.keys(parameters).length > 0 ? undefined : firmId)
  if (wanted === undefined) return parameters
  const { organization: how } = await server.get()
  if (!how) throw notSupported('switchTo by a name', 'Pass the parameters that your server knows.')
  const { parameter = 'organization', scope } = how
  const asked = scope
    ? { scope: scopesFor(settings.scopes, scope, String(wanted)) }
    : { [parameter]: String(wanted) }
  return { ...parameters, ...asked }
}

/** Silent checks ask for the organization of the sign-in, else users with several would choose again at each reload. */
export function keepOrganization({ tokens, tabRecords, settings, server }: Context): void {
  const { current } = tokens
  const { scope } = server.known()?.organization ?? {}
  if (!current || current.switched || !scope || !settings.scopes.some((one) => isOfTemplate(one, scope)))
    return
  const [organization, ...others] = organizationsOf(current)
  if (organization === undefined || others.length > 0) return
  const parameters = { scope: scopesFor(settings.scopes, scope, organization) }
  current.switched = { parameters, from: [] }
  tabRecords.keepSwitched(parameters, current.claims)
}

/** @throws AuthError `invalid-argument` */
function checked(given: unknown): SwitchOptions {
  const check = (isRight: boolean, what: string, expected: string) => {
    if (!isRight) throw invalidArgument(`switchTo: ${what} is wrong`, `Pass ${expected}.`)
  }
  const options: SwitchOptions = recordOf(given)
  const { organization, firmId, parameters, display, isSameUser } = options
  const isWanted = [organization, firmId, parameters].some((one) => one !== undefined)
  check(isWanted, 'what it was given', '{ organization }, { firmId } or { parameters }')
  check(organization === undefined || isName(organization), 'organization', 'its id or name, without spaces')
  check(
    firmId === undefined || Number.isSafeInteger(firmId) || isName(firmId),
    'firmId',
    'a text without spaces, or a safe integer',
  )
  check([undefined, 'silent', 'popup', 'page'].includes(display), 'display', "'silent', 'popup' or 'page'")
  check(isSameUser === undefined || typeof isSameUser === 'function', 'isSameUser', 'a function')
  if (parameters !== undefined) loginParameters({ parameters })
  return options
}

/** Without spaces, because it may become a scope. */
const isName = (value: unknown): boolean =>
  typeof value === 'string' && /^[^\s\u0000-\u001f\u007f]+$/.test(value)

const isThere = ({ organization, firmId }: SwitchOptions, current: Credentials): boolean =>
  firmId === undefined
    ? organization !== undefined &&
      (sameId(organization, current.claims.firmId) || organizationsOf(current).includes(organization))
    : sameId(firmId, current.claims.firmId)

const refused = (cause: AuthError): AuthError =>
  switchRefused(
    ASKS_USER.includes(cause.code) ? 'the server wants to ask the user' : 'the server refused it',
    cause,
  )
