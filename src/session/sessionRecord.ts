// The record in local storage of the session that counts in this browser: one for all tabs of a client, written whole and only compared.
import { loginRequired } from '../base/errors.ts'
import type { Granted } from '../protocol/credentials.ts'
import { holderName, sidHash } from '../protocol/identity.ts'
import type { SignedOutReason } from '../protocol/signedOutReasons.ts'
import { type Client, metadataKey, sessionRecordKey, sidKey } from '../protocol/storageKeys.ts'
import { type CountingSession, parseRecord } from '../protocol/storedSession.ts'
import type { StoragePort } from './platform/platform.ts'

export type SessionRecord = ReturnType<typeof createSessionRecord>

type Ids = Pick<CountingSession, 'id' | 'user'>

export function createSessionRecord(storage: StoragePort, client: Client, createId: () => string) {
  const key = sessionRecordKey(client)
  /** The record under which this page's session began. */
  let own: CountingSession | undefined
  /** Replaces a storage that is denied or full until another tab writes: `beside` is what it contained. */
  let memory: { text: string; beside: string | undefined } | undefined

  const inMemory = () => (memory && storage.get(key) === memory.beside ? memory.text : undefined)
  const stored = () => inMemory() ?? storage.get(key)
  /** The last record read: start-up reads it many times. */
  let last: CountingSession | undefined
  const now = () => {
    const text = stored()
    if (last?.text !== text) last = parseRecord(text)
    return last
  }
  const write = (record: Omit<CountingSession, 'text'>, text = JSON.stringify(record)): CountingSession => {
    let isStored = storage.set(key, text)
    if (!isStored) {
      // latchkey's largest entry; it is fetched again when needed.
      storage.remove(metadataKey(client))
      isStored = storage.set(key, text)
    }
    // For pages that come back, a missing record is an end.
    if (!isStored) storage.remove(key)
    memory = isStored ? undefined : { text, beside: storage.get(key) }
    return { ...record, text }
  }
  const userOf = (granted: Granted) => holderName(client, granted)
  const counts = (isBack: boolean) => {
    if (!own || stored() === own.text) return true
    const found = now()
    return found ? isSame(found, own) : !isBack
  }
  /** For offers: tabs without local storage have records of their own. */
  const forOffers = () => (inMemory() === undefined ? now() : undefined)
  const countsOffered = (offer: Granted, found = forOffers()) =>
    !found || isSame(found, { id: offer.session ?? '', user: userOf(offer) })
  /** Returns a test whether a session has ended since now. Tokens of a user who has signed in since pass. */
  const watch =
    (before = now()) =>
    (granted?: Granted): boolean => {
      const found = now()
      const isTheirs = found?.user !== undefined && (!granted || found.user === userOf(granted))
      return found !== undefined && found.id !== before?.id && !isTheirs
    }
  let isEndedElsewhere = (): boolean => true

  return {
    id: () => own?.id,
    now,
    /** Whether another user has signed in since. */
    isOfAnother() {
      const user = now()?.user
      return user !== undefined && user !== own?.user
    },
    /** Whether this page's session still counts. A missing record is an end only with `isBack`: the page may have missed messages. */
    counts,
    /** Whether an offer of another tab counts or, by the record `found`, one of the page before. */
    countsOffered,
    /** Restores a missing record while the page runs: the app may have cleared the storage. */
    keep(): void {
      if (own && !now()) write({ id: own.id, user: own.user })
    },
    /**
     * A user is signed in. Returns the id of another user's session that this one replaces.
     *
     * @throws AuthError `login-required` when an offer no longer counts
     */
    enter(granted: Granted, isOffered = false): string | undefined {
      const user = userOf(granted)
      const found = granted.session === undefined ? now() : forOffers()
      if (isOffered && !countsOffered(granted, found)) throw loginRequired()
      const isTaken = found?.user !== undefined && found.user !== user
      const id = isTaken ? createId() : (found?.id ?? granted.session ?? createId())
      const sid = sidHash(granted, id)
      // Beside the record, whose text must not change while a session lives.
      if (sid) storage.set(sidKey(client), sid)
      own = found?.user === user ? found : write({ id, user })
      return isTaken ? found.id : undefined
    },
    /** Ends the session of this browser, whichever it is. */
    end(reason: SignedOutReason): void {
      write({ id: createId(), reason })
      // Without a storage each tab has a record of its own, which follows the messages of the others.
      isEndedElsewhere = memory ? () => false : watch()
    },
    /** Whether another tab has ended the session: since this page did, if this page did. */
    isEndedElsewhere: () => isEndedElsewhere(),
    /** This page has removed its session. Ends it, unless a tab has done so. A missing record stays missing. */
    forget(reason?: SignedOutReason): void {
      if (own && reason && now() && counts(false)) write({ id: createId(), reason })
      own = undefined
    },
    /** Another tab has ended these sessions and has written `next`, which may not be readable here yet. Tabs of an earlier version write nothing. */
    receiveEnd(ids: readonly string[], next: string): void {
      const found = now()
      const given = parseRecord(next)
      if (ids.includes(found?.id ?? '') || (given && (!found || inMemory() !== undefined)))
        write(given ?? { id: createId() }, given?.text)
    },
    watch,
  }
}

/** A record may name no user: tabs of an earlier version write only an id. */
const isSame = (one: Ids, other: Ids): boolean =>
  one.id === other.id && (one.user ?? other.user) === (other.user ?? one.user)
