// Says which session of this browser counts: one record in local storage for all tabs of a client, written whole and only compared.
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
  /** What this page holds or shows began under it. */
  let own: CountingSession | undefined
  /** Stands in for a storage that is denied or full, as long as no other tab writes: `beside` is what was there. */
  let memory: { text: string; beside: string | undefined } | undefined

  const inMemory = () => (memory && storage.get(key) === memory.beside ? memory.text : undefined)
  const stored = () => inMemory() ?? storage.get(key)
  /** As it was read last: start-up asks many times. */
  let last: CountingSession | undefined
  const now = () => {
    const text = stored()
    if (last?.text !== text) last = parseRecord(text)
    return last
  }
  const write = (record: Omit<CountingSession, 'text'>, text = JSON.stringify(record)): CountingSession => {
    let isStored = storage.set(key, text)
    if (!isStored) {
      // The largest entry of ours, fetched again when it is needed.
      storage.remove(metadataKey(client))
      isStored = storage.set(key, text)
    }
    // Pages that come back take a record that is gone for an end.
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
  /** For what others hand over: tabs without local storage have records of their own. */
  const forOffers = () => (inMemory() === undefined ? now() : undefined)
  const countsOffered = (offer: Granted, found = forOffers()) =>
    !found || isSame(found, { id: offer.session ?? '', user: userOf(offer) })

  return {
    /** The id under which the session held or shown here began. */
    id: () => own?.id,
    now,
    /** Whether another user has signed in since. */
    isOfAnother() {
      const user = now()?.user
      return user !== undefined && user !== own?.user
    },
    /** Whether what this page holds or shows still counts. A record that is gone is an end only with `isBack`: the page heard nothing meanwhile. */
    counts,
    /** The same for what another tab offers, or, by the record `found`, the page before. */
    countsOffered,
    /** The page runs: puts back a record that is gone. The app may have cleared the storage. */
    keep(): void {
      if (own && !now()) write({ id: own.id, user: own.user })
    },
    /**
     * A user is signed in from now on. Returns the id of another user's session that this one replaces.
     *
     * @throws AuthError `login-required` when what was offered counts no more
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
    /** Ends whatever session there is in this browser. */
    end: (reason: SignedOutReason) => void write({ id: createId(), reason }),
    /** This page shows nothing of its session any more; where no tab has ended it yet, it ends. A record that is gone stays so. */
    forget(reason?: SignedOutReason): void {
      if (own && reason && now() && counts(false)) write({ id: createId(), reason })
      own = undefined
    },
    /** Another tab has ended these sessions and has written `next`, which this page may not see yet. Tabs of an earlier version write nothing. */
    hear(ids: readonly string[], next: string): void {
      const found = now()
      const given = parseRecord(next)
      if (ids.includes(found?.id ?? '') || (given && (!found || inMemory() !== undefined)))
        write(given ?? { id: createId() }, given?.text)
    },
    /** What tells whether a session has ended since now; one of the user who has signed in since has not. */
    watch(before = now()): (granted?: Granted) => boolean {
      return (granted) => {
        const found = now()
        const isTheirs = found?.user !== undefined && (!granted || found.user === userOf(granted))
        return found !== undefined && found.id !== before?.id && !isTheirs
      }
    },
  }
}

/** A record may name no user: tabs of an earlier version write only an id. */
const isSame = (one: Ids, other: Ids): boolean =>
  one.id === other.id && (one.user ?? other.user) === (other.user ?? one.user)
