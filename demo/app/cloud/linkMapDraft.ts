// Keeps what was typed into the link map when the user is signed out before saving, for the same user in the same firm.
import type { User } from 'latchkey'
import type { Draft } from './mapRows.ts'

type Owner = Pick<User, 'userId' | 'firmId'>

const prefixOf = ({ userId, firmId }: Owner) =>
  `deskwell link map draft ${JSON.stringify([String(firmId), String(userId)])} `

const keysOf = (owner: Owner) => Object.keys(localStorage).filter((key) => key.startsWith(prefixOf(owner)))

/** Every tab has an entry of its own: they all save at the same time, and none may overwrite another's. */
export function keepDraft(owner: Owner, draft: Draft): void {
  if (draft.size > 0) localStorage.setItem(prefixOf(owner) + crypto.randomUUID(), JSON.stringify([...draft]))
}

export function forgetDraft(owner: Owner): void {
  for (const key of keysOf(owner)) localStorage.removeItem(key)
}

/** What all tabs have kept, as one draft. */
export const readDraft = (owner: Owner): Draft => new Map(keysOf(owner).flatMap(readEntries))

function readEntries(key: string): [string, string][] {
  try {
    const entries: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(entries) ? entries.filter(isEntry) : []
  } catch {
    return []
  }
}

const isEntry = (value: unknown): value is [string, string] =>
  Array.isArray(value) && value.length === 2 && value.every((item) => typeof item === 'string')
