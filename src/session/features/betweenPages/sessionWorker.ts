// Leaves the session to the next page of this tab: sealed in the memory of the app's SharedWorker, its key in session storage.
import { loginRequired } from '../../../errors.ts'
import { numberOf, parseJson, recordOf } from '../../../json.ts'
import { type Granted, parseCredentials, writeCredentials } from '../../../protocol/credentials.ts'
import { createStateKey } from '../../../protocol/pkce.ts'
import { betweenPagesKey, betweenPagesName } from '../../../protocol/storageKeys.ts'
import { KEPT_LIFETIME_MS } from '../../../sessionConstants.ts'
import type { Context } from '../../context.ts'
import { createBrowserKeep } from '../../platform/browserKeep.ts'
import type { KeepPort } from '../../platform/platform.ts'
import type { TokenRefresh } from '../../signedIn/tokenRefresh.ts'
import type { OtherTabs } from '../../tabs/otherTabs.ts'

export type BetweenPagesContext = Pick<
  Context,
  'settings' | 'platform' | 'timeline' | 'server' | 'marker' | 'record'
>

export interface BetweenPagesOptions {
  credentials(): Granted | undefined
  refresh: Pick<TokenRefresh, 'isRunning'>
  otherTabs: Pick<OtherTabs, 'open'>
}

export type SessionWorker = ReturnType<typeof createSessionWorker>

/** What this tab keeps of it, in session storage, and only between two pages. */
type Left = NonNullable<ReturnType<typeof parseLeft>>

/** Another version of what is said to the worker is another worker. */
const WORKER = { name: 'latchkey 1', type: 'module', extendedLifetime: true } as const

export function createSessionWorker(
  { settings, platform, timeline, server, marker, record }: BetweenPagesContext,
  { credentials, refresh, otherTabs }: BetweenPagesOptions,
) {
  const storageKey = betweenPagesKey(settings)
  let opened: { worker: ReturnType<typeof connect> } | undefined
  let hasSealed = false
  let ready: { sealed: string; key: string; session: string } | undefined

  const note = (outcome: 'done' | 'skipped' | 'failed', why: string): undefined => {
    timeline.record('session worker', outcome, why)
  }
  const connect = (): { keep: KeepPort; port: MessagePort } | undefined => {
    try {
      const keep = (platform.keep ?? createBrowserKeep)()
      if (!keep) return note('skipped', 'this browser has none that outlives its pages')
      const { port } = settings.sessionWorker!(WORKER)
      port.start()
      return { keep, port }
    } catch {
      return note('failed', 'it could not be started')
    }
  }
  const open = () => (opened ??= { worker: connect() }).worker
  const post = (message: unknown) => {
    try {
      open()?.port.postMessage(message)
    } catch {
      note('failed', 'it takes no messages')
    }
  }
  /** What the page before has left can be found once. */
  const takeRecord = () => {
    const left = parseLeft(platform.sessionStorage.get(storageKey))
    platform.sessionStorage.remove(storageKey)
    return left
  }
  const withdraw = () => {
    ready = undefined
    const left = takeRecord()
    if (left) post({ type: 'take', id: left.id })
  }
  const read = async ({ id, key, generation, sentAtMs }: Left): Promise<Granted | undefined> => {
    const worker = open()
    const sealed = worker && (await ask(worker.port, id))
    if (!worker || typeof sealed !== 'string') return undefined
    const found = parseCredentials(await worker.keep.open(sealed, key), server.restore)
    // Tokens bound to a key (DPoP) cannot be used: the key was not handed over.
    if (found.memory['binding']) return undefined
    const { expiresInSeconds = Infinity, askedAtMs } = found
    const isOver = platform.now() - askedAtMs >= expiresInSeconds * 1000
    return isOver ? undefined : { ...found, sentAtMs, generation }
  }

  return {
    /** Asks for what the page before has left; the result is called where the answer came in time. */
    async take(): Promise<() => Granted | undefined> {
      const left = takeRecord()
      const ageMs = left ? platform.now() - left.leftAtMs : -1
      if (!left || ageMs < 0 || ageMs >= KEPT_LIFETIME_MS)
        return () => note('failed', 'what was left is too old')
      if (left.asked !== settings.asked)
        return () => note('skipped', 'the page before asked for something else')
      // Of one that has expired in another tab, the marker alone is gone.
      const isOver = () => !record.counts(true, { id: left.session }) || !marker.isThere()
      const found = isOver() ? undefined : await read(left).catch(() => undefined)
      return () => {
        if (isOver()) {
          note('skipped', 'the session has ended')
          // A moment ago: the hidden frame finds nobody either, unless somebody has signed in since.
          if (record.now() && !marker.isThere()) throw loginRequired()
          return undefined
        }
        if (!found) return note('failed', 'it has nothing that can be used')
        note('done', 'has the session of the page before')
        otherTabs.open()?.take(found)
        return found
      }
    },
    prepare() {
      withdraw()
      const held = credentials()
      // Tokens that are bound to a key are worth nothing without it, and it cannot be written down. `keyOf` has a key also where
      // only the refresh token is bound.
      if (!held || server.known()?.binding?.keyOf(held) !== undefined) return
      const keep = open()?.keep
      if (!keep) return
      const { session = '' } = held
      const own = (ready = { sealed: '', key: '', session })
      // While it is not sealed yet, and where it fails, there is nothing to leave.
      keep.seal(writeCredentials(held)).then(
        (sealed) => {
          Object.assign(own, sealed)
          if (!hasSealed) timeline.record('session for the next page', 'done', 'sealed')
          hasSealed = true
        },
        () => {},
      )
    },
    leave() {
      const held = credentials()
      // While it is renewed, the refresh token may be used up before anybody has the next.
      if (!ready?.sealed || refresh.isRunning() || !held) return
      const { sealed, key, session } = ready
      ready = undefined
      const id = createStateKey(platform.crypto)
      const left: Left = {
        id,
        key,
        generation: otherTabs.open()?.generation() ?? 0,
        leftAtMs: platform.now(),
        asked: settings.asked,
        session,
        sentAtMs: held.sentAtMs,
      }
      if (platform.sessionStorage.set(storageKey, JSON.stringify(left)))
        post({ type: 'keep', id, session: betweenPagesName(settings, session), sealed })
    },
    end(session: string) {
      withdraw()
      post({ type: 'end', session: betweenPagesName(settings, session) })
    },
  }
}

function ask(port: MessagePort, id: string): Promise<unknown> {
  return new Promise((resolve) => {
    const hear = ({ data }: MessageEvent) => {
      const answer = recordOf(data)
      if (answer['id'] !== id) return
      port.removeEventListener('message', hear)
      resolve(answer['sealed'])
    }
    port.addEventListener('message', hear)
    port.postMessage({ type: 'take', id })
  })
}

function parseLeft(text: string | undefined) {
  const { id, key, asked, session, ...numbers } = recordOf(parseJson(text))
  const generation = numberOf(numbers['generation'])
  const leftAtMs = numberOf(numbers['leftAtMs'])
  if (typeof id !== 'string' || typeof key !== 'string' || generation === undefined) return undefined
  // `asked`: what its tokens were asked for. `sentAtMs`: when its refresh token went to the server and no response came.
  return leftAtMs === undefined || typeof asked !== 'string' || typeof session !== 'string'
    ? undefined
    : { id, key, asked, session, generation, leftAtMs, sentAtMs: numberOf(numbers['sentAtMs']) }
}
