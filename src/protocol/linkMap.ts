// Checks the link map, which assigns users of the firm to users of the cloud provider, when it is read and saved.
import { unexpectedAnswer } from '../base/errors.ts'
import { isRecord, memberOf, readable, recordOf } from '../base/json.ts'
import { invalidLinkMap } from '../base/sessionErrors.ts'
import type { Id } from './claims.ts'

/** A user of the firm, as the server writes it: an id, or an object. */
export type InternalUser = Id | Readonly<Record<string, unknown>>

/** A user at the cloud provider. */
export interface ExternalUser {
  /** The id at the cloud provider. */
  readonly id: Id
  /** Further members of the server, unchanged. */
  readonly [member: string]: unknown
}

/** One entry of the link map as it is read. `externalUser` is null for a user without a link (with `allUsers`). */
export interface LinkMapEntry {
  /** The user of the firm. */
  readonly internalUser: InternalUser
  /** The same person at the cloud provider; null when there is no link. */
  readonly externalUser: ExternalUser | null
}

/** One entry as it is saved: with both users. */
export interface LinkedEntry extends LinkMapEntry {
  /** The same person at the cloud provider. */
  readonly externalUser: ExternalUser
}

/** The link map of the server. */
export type LinkMap = readonly LinkMapEntry[]

/** Returns a plain copy, so that exactly the checked map is sent. @throws AuthError `invalid-link-map`, 'linkmap in wrong format' */
export function checkLinkMap(value: unknown): readonly LinkedEntry[] {
  // The copy drops inherited members and getters. It fails where the map is circular, or has a BigInt.
  const copy = readable(() => JSON.parse(JSON.stringify(value)) as unknown)
  if (!Array.isArray(copy) || !copy.every(isLinkedEntry)) throw invalidLinkMap()
  return copy
}

/** Reads the server's map. @throws AuthError `unexpected-answer` */
export function readLinkMap(answer: unknown): LinkMap {
  const isMap =
    Array.isArray(answer) &&
    answer.every(
      (entry) =>
        (isRecord(entry) && isInternal(entry['internalUser']) && (entry['externalUser'] ?? null) === null) ||
        isLinkedEntry(entry),
    )
  if (!isMap) throw unexpectedAnswer('GET /cloudprovider/linkmap')
  return (answer as LinkMapEntry[]).map((entry) =>
    entry.externalUser === undefined ? { ...entry, externalUser: null } : entry,
  )
}

/** The map of all users after a save. Users missing in the saved map are unlinked. */
export function applyLinkMap(all: LinkMap, saved: readonly LinkedEntry[]): LinkMap {
  const savedByUser = new Map(saved.map((entry) => [userKey(entry.internalUser), entry.externalUser]))
  return all.map((entry) => {
    const externalUser = savedByUser.get(userKey(entry.internalUser)) ?? null
    // Keep an unchanged link: it may have more members than a save.
    return externalUser?.id === entry.externalUser?.id ? entry : { ...entry, externalUser }
  })
}

export function userKey(user: InternalUser): string {
  if (typeof user !== 'object') return String(user)
  return isId(user['id']) ? String(user['id']) : JSON.stringify(user)
}

function isLinkedEntry(entry: unknown): entry is LinkedEntry {
  const { internalUser, externalUser } = recordOf(entry)
  return isInternal(internalUser) && isRecord(externalUser) && isId(memberOf(externalUser, 'id'))
}

const isId = (value: unknown): value is Id =>
  (typeof value === 'string' && value.trim() !== '') || (typeof value === 'number' && Number.isFinite(value))

const isInternal = (value: unknown): boolean => isId(value) || isRecord(value)
