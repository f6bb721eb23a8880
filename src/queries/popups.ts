// Runs a popup as a mutation: opens it in the click, one popup per page, and reads the result from the server.
import { hashKey, type QueryClient } from '@tanstack/react-query'
import { AuthError } from '../base/errors.ts'
import { POPUP_LIMIT_MS } from '../base/popupConstants.ts'
import { notAuthenticated, notSupported } from '../base/sessionErrors.ts'
import { BLANK, type PopupPage, popupUrl } from '../protocol/popups.ts'
import type { Auth } from '../session/auth.ts'
import { internalsOf } from '../session/internals.ts'
import { loadLater } from '../session/laterFile.ts'
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

interface Running {
  readonly url: string
  readonly popup: Popup
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
  const popup = () => runningPopups.get(auth)?.get(flow.page)?.popup
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
  if (earlier?.url === url && !earlier.popup.ending.aborted) {
    earlier.popup.focus()
    return earlier.outcome
  }
  earlier?.popup.end('cancelled')

  const status = flow.status?.(variables)
  const before = status && readBefore(client, status).catch(() => undefined)
  const read = async () => {
    const now = status && (await readNow(client, status))
    const then = await before
    return {
      status: now?.data,
      isChanged: then !== undefined && hashKey([now?.data]) !== hashKey([then.data]),
    }
  }
  const openedAtMs = platform.now()
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
  const entry = { url, popup, outcome: follow(popup) }
  running.set(page, entry)
  return entry.outcome

  async function follow({ ended, end }: Popup): Promise<PopupOutcome<unknown>> {
    const stopWatching = auth.subscribe(() => isSameUser() || end('signed-out'))
    // The page is being left: do not wait for the server's close page.
    const leave = () => end('left')
    life.addEventListener('abort', leave)
    const how = await ended.finally(() => {
      life.removeEventListener('abort', leave)
      stopWatching()
      if (running.get(page) === entry) running.delete(page)
    })
    if (how === 'signed-out' || !isSameUser()) throw notAuthenticated()
    const found = await read().catch((error: unknown) => {
      throw isSameUser() ? error : notAuthenticated()
    })
    if (!isSameUser()) throw notAuthenticated()
    flow.clearUp?.(client, variables)
    if (found.isChanged || how === 'answered' || how === 'done') return found
    if (how === 'closed' && status && !life.aborted) keepReading(status)
    return refuse(how === 'late' ? 'popupTimeout' : 'popupClosed')
  }

  /**
   * After a popup that its Cross-Origin-Opener-Policy has disconnected: reads the status again when the user returns to the page,
   * and at growing intervals, until the time limit of the popup, another popup or user, or the end of the app on this page.
   */
  function keepReading({ queryKey }: AuthQuery<Status>): void {
    const isWanted = () => isSameUser() && !running.has(page)
    let cancelTimer = () => {}
    const stop = () => {
      cancelTimer()
      for (const remove of removals) remove()
      life.removeEventListener('abort', stop)
    }
    const readAgain = () => {
      if (!isWanted() || platform.now() - openedAtMs >= POPUP_LIMIT_MS) stop()
      else void client.invalidateQueries({ queryKey, exact: true })
    }
    const removals = [
      platform.on('focus', readAgain),
      platform.on('visible', readAgain),
      auth.subscribe(() => isWanted() || stop()),
    ]
    life.addEventListener('abort', stop)
    const readAfter = (waitMs: number) => {
      cancelTimer = platform.setTimer(() => {
        readAfter(waitMs * 2)
        readAgain()
      }, waitMs)
    }
    readAfter(FIRST_WAIT_MS)
  }

  /** The errors of windows load with the first window. */
  async function refuse(why: 'popupBlocked' | 'popupTimeout' | 'popupClosed'): Promise<never> {
    const file = await loadLater(platform)
    throw file[why]()
  }
}

const queryOf = <Data>(client: QueryClient, status: AuthQuery<Data>) =>
  client.getQueryCache().build(client, client.defaultQueryOptions(status as never))

/** Returns the status before the popup: from the cache, from a read in progress, or from a new read. */
async function readBefore<Data>(client: QueryClient, status: AuthQuery<Data>) {
  const query = queryOf(client, status)
  if (query.state.data !== undefined) return { data: query.state.data as Data }
  return orNothing(query.fetch() as Promise<Data>)
}

/** Returns the response to a request that is sent after this call. */
async function readNow<Data>(client: QueryClient, status: AuthQuery<Data>) {
  const query = queryOf(client, status)
  // TanStack Query cannot cancel a first read in favour of another: wait for it and ignore its result.
  if (query.state.data === undefined && query.state.fetchStatus === 'fetching') {
    await query.promise?.catch(() => {})
  }
  const now = await orNothing(query.fetch(undefined, { cancelRefetch: true }) as Promise<Data>)
  // Remove the data of a deleted status: a failed read keeps the former data otherwise.
  if (now.data === undefined) query.setState({ ...query.state, data: undefined })
  return now
}

/** No `data` after a 404, which means no link or no consent. */
async function orNothing<Data>(reading: Promise<Data>): Promise<{ data: Data | undefined }> {
  try {
    return { data: await reading }
  } catch (error) {
    if (error instanceof AuthError && error.status === 404) return { data: undefined }
    throw error
  }
}
