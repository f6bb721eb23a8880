// Runs a popup as a mutation: opens it in the click, one popup per page, and reads the result from the server.
import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { AuthError } from '../base/errors.ts'
import { POPUP_LIMIT_MS } from '../base/popupConstants.ts'
import { notAuthenticated, notSupported } from '../base/sessionErrors.ts'
import { BLANK, type PopupPage, popupUrl } from '../protocol/popups.ts'
import type { Auth } from '../session/auth.ts'
import { internalsOf } from '../session/internals.ts'
import { loadLater } from '../session/laterFile.ts'
import { endWith } from '../session/signedIn/lifecycle.ts'
import { type AuthMutation, type AuthQuery, prepared, writeMutation } from './defaults.ts'
import { openPopup, type Popup } from './popupWindow.ts'
import { rememberUser } from './keys.ts'

/** The result of a popup. */
export interface PopupOutcome<Status> {
  /** The status at the server, read after the popup ended. `undefined` if the server returned 404. */
  readonly status: Status | undefined
  /** Whether the status differs from the one before the popup. */
  readonly isChanged: boolean
}

/** The definition of one kind of popup. */
export interface PopupFlow<Variables, Status> {
  /** Its name in the query devtools. */
  readonly name: string
  readonly page: PopupPage
  /** Parameters of the page. Throws for invalid variables; then no popup opens. */
  parameters?(variables: Variables): Readonly<Record<string, string>>
  /** Fetches one-time parameters. The popup shows a blank page until they arrive. */
  fetchParameters?(signal: AbortSignal): Promise<Readonly<Record<string, string>>>
  /** The query for the status that the popup changes. */
  status?(variables: Variables): AuthQuery<Status>
  /** Invalidates other queries after the popup. */
  clearUp?(client: QueryClient, variables: Variables): void
  /** For variables that open no popup: what happens instead. */
  instead?(variables: Variables): Promise<PopupOutcome<Status>> | undefined
}

/** Controls of an open popup. */
export interface PopupControls {
  /** Brings the popup to the front. */
  focusPopup(): void
  /** For a user who is done in the popup: closes it, and reads the status. */
  finish(): void
  /** For a user who gives up: closes the popup. The mutation fails with `popup-closed` unless the status changed. */
  cancel(): void
}

const FIRST_WAIT_MS = 2_000

interface Running extends Popup {
  readonly url: string
  readonly outcome: Promise<PopupOutcome<unknown>>
}

const allControls = new WeakMap<object, PopupControls>()
const runningPopups = new WeakMap<Auth, Map<PopupPage, Running>>()
/** The popups that hooks have opened, by the variables of their mutations. */
const allBegun = new WeakMap<object, Promise<PopupOutcome<unknown>>>()

/** Returns the mutation of a popup. */
export function popupMutation<Variables, Status>(
  auth: Auth,
  flow: PopupFlow<Variables, Status>,
): AuthMutation<PopupOutcome<Status>, Variables> {
  const popup = () => runningPopups.get(auth)?.get(flow.page)
  const mutation = writeMutation<PopupOutcome<Status>, Variables>(
    auth,
    flow.name,
    async (variables, { client }) =>
      (allBegun.get(variables as object) ?? run(auth, client, flow, variables)) as Promise<
        PopupOutcome<Status>
      >,
  )
  // Browsers allow a popup only during the click; mutations start in a later task.
  const own = prepared({ ...mutation, gcTime: 0 }, (given: Variables, client) => {
    const variables = { ...given }
    const outcome = run(auth, client, flow, variables)
    // The mutation reports the error.
    outcome.catch(() => {})
    allBegun.set(variables as object, outcome)
    return variables
  })
  allControls.set(own, {
    focusPopup: () => popup()?.focus(),
    finish: () => popup()?.end('done'),
    cancel: () => popup()?.end('cancelled'),
  })
  return own
}

/** Without an effect while no popup is open. */
export const controlsOf = (mutation: object): PopupControls => allControls.get(mutation)!

/** Opens the popup before the first `await`: after a wait, the browser would block it. */
async function run<Variables, Status>(
  auth: Auth,
  client: QueryClient,
  flow: PopupFlow<Variables, Status>,
  variables: Variables,
): Promise<PopupOutcome<unknown>> {
  const instead = flow.instead?.(variables)
  if (instead) return instead
  const { settings, platform, settleDoubt, page: pageLife } = internalsOf(auth)
  const { page, fetchParameters } = flow
  if (settings.server.authHost === undefined) throw notSupported(`The window '${page}'`)
  const isSameUser = rememberUser(auth)
  const url = fetchParameters ? BLANK : popupUrl(settings, page, flow.parameters?.(variables))
  const running = runningPopups.get(auth) ?? new Map<PopupPage, Running>()
  runningPopups.set(auth, running)
  const earlier = running.get(page)
  if (earlier?.url === url && !earlier.ending.aborted) {
    earlier.focus()
    return earlier.outcome
  }
  earlier?.end('cancelled')

  const status = flow.status?.(variables)
  const read = status ? readAndCompare(client, status) : async () => ({ status: undefined, isChanged: false })
  // If the browser reports no network, the window shows a blank page until the server has responded.
  const isBlank = fetchParameters !== undefined || !platform.isOnline()
  const popup = openPopup({
    platform,
    settings,
    page,
    url: isBlank ? BLANK : url,
    hasChanged: async () => (await read()).isChanged,
  })
  if (!popup) return refuse('popupBlocked')
  const findUrl = async () => {
    if (fetchParameters) return popupUrl(settings, page, await fetchParameters(popup.ending))
    await settleDoubt()
    return url
  }
  if (isBlank) findUrl().then(popup.navigate, popup.fail)

  const life = pageLife()
  // The page is being left: do not wait for the server's close page.
  life.addEventListener('abort', () => popup.end('left'), { signal: popup.closing })
  const outcome = follow(popup.ended)
  running.set(page, { ...popup, url, outcome })
  endWith(popup.closing, [
    auth.subscribe(() => isSameUser() || popup.end('signed-out')),
    () => running.get(page)?.outcome === outcome && running.delete(page),
  ])
  return outcome

  async function follow(ended: Popup['ended']): Promise<PopupOutcome<unknown>> {
    const how = await ended
    if (how === 'signed-out' || !isSameUser()) throw notAuthenticated()
    const found = await read().catch((error: unknown) => {
      throw isSameUser() ? error : notAuthenticated()
    })
    if (!isSameUser()) throw notAuthenticated()
    flow.clearUp?.(client, variables)
    if (found.isChanged || how === 'answered' || how === 'done') return found
    if (how === 'closed' && status && !life.aborted) keepReading(status.queryKey)
    return refuse(how === 'late' ? 'popupTimeout' : 'popupClosed')
  }

  /** A popup that seemed closed may only be cut off: reads the status when the user returns to the page, and at growing intervals. */
  function keepReading(queryKey: QueryKey, waitMs = FIRST_WAIT_MS): void {
    const over = new AbortController()
    const stop = () => over.abort()
    const readAgain = () => {
      stop()
      if (waitMs > POPUP_LIMIT_MS / 2) return
      void client.invalidateQueries({ queryKey, exact: true })
      keepReading(queryKey, waitMs * 2)
    }
    endWith(over.signal, [
      platform.setTimer(readAgain, waitMs),
      platform.on('focus', readAgain),
      auth.subscribe(() => isSameUser() || stop()),
    ])
    life.addEventListener('abort', stop, { signal: over.signal })
  }

  /** The errors of windows load with the first window. */
  async function refuse(why: 'popupBlocked' | 'popupTimeout' | 'popupClosed'): Promise<never> {
    throw (await loadLater(platform))[why]()
  }
}

/** Notes the status from the cache or the server. Returns a function that requests it anew, and compares. */
function readAndCompare<Data>(client: QueryClient, status: AuthQuery<Data>) {
  const queryOf = () => client.getQueryCache().build(client, client.defaultQueryOptions(status as never))
  const { data } = queryOf().state
  const before = orNothing(data === undefined ? queryOf().fetch() : data).then(
    (found) => hashKey([found]),
    () => undefined,
  )
  return async () => {
    const query = queryOf()
    // TanStack Query cannot cancel a first read in favour of another: wait for it and ignore its result.
    if (query.state.data === undefined) await query.promise?.catch(() => {})
    const now = await orNothing(query.fetch(undefined, { cancelRefetch: true }))
    // Remove the data of a deleted status: a failed read keeps the former data otherwise.
    if (now === undefined) query.setState({ data: undefined })
    const then = await before
    return { status: now, isChanged: then !== undefined && then !== hashKey([now]) }
  }
}

/** `undefined` after a 404, which means no link or no consent. */
async function orNothing<Data>(reading: Data | Promise<Data>): Promise<Data | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof AuthError && error.status === 404) return undefined
    throw error
  }
}
