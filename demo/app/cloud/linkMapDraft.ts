// Keeps what was typed into the link map, as a table or as a text, when the user is signed out before saving; for the same user in the same firm.
import type { User } from 'latchkey'
import type { Draft } from './mapRows.ts'

type Owner = Pick<User, 'userId' | 'firmId'>

/** A text of the JSON view, and the saved text that the user began from. */
export interface KeptText {
  text: string
  base: string
  keptAtMs: number
}

type Kind = 'draft' | 'text'

const prefixOf = (kind: Kind, { userId, firmId }: Owner) =>
  `deskwell link map ${kind} ${JSON.stringify([String(firmId), String(userId)])} `

const keysOf = (kind: Kind, owner: Owner) =>
  Object.keys(localStorage).filter((key) => key.startsWith(prefixOf(kind, owner)))

/** Every tab has an entry of its own: they all save at the same time, and none may overwrite another's. */
export function keepDraft(owner: Owner, draft: Draft): void {
  if (draft.size > 0) keep('draft', owner, [...draft])
}

export function forgetDraft(owner: Owner): void {
  for (const key of keysOf('draft', owner)) localStorage.removeItem(key)
}

/** What all tabs have kept, as one draft. */
export const readDraft = (owner: Owner): Draft => new Map(keysOf('draft', owner).flatMap(readEntries))

export const keepText = (owner: Owner, kept: Omit<KeptText, 'keptAtMs'>): void =>
  keep('text', owner, { ...kept, keptAtMs: Date.now() })

/** The texts of all tabs by their keys, the newest first: two texts cannot be made one. */
export const readTexts = (owner: Owner): [key: string, KeptText][] =>
  keysOf('text', owner)
    .flatMap((key): [string, KeptText][] => {
      const kept = read(key)
      return isKeptText(kept) ? [[key, kept]] : []
    })
    .toSorted(([, one], [, other]) => other.keptAtMs - one.keptAtMs)

export const forgetText = (key: string): void => localStorage.removeItem(key)

function keep(kind: Kind, owner: Owner, value: unknown): void {
  localStorage.setItem(prefixOf(kind, owner) + crypto.randomUUID(), JSON.stringify(value))
}

function read(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null')
  } catch {
    return undefined
  }
}

function readEntries(key: string): [string, string][] {
  const entries = read(key)
  return Array.isArray(entries) ? entries.filter(isEntry) : []
}

function isKeptText(value: unknown): value is KeptText {
  const { text, base, keptAtMs } = Object(value) as Partial<KeptText>
  return typeof text === 'string' && typeof base === 'string' && typeof keptAtMs === 'number'
}

const isEntry = (value: unknown): value is [string, string] =>
  Array.isArray(value) && value.length === 2 && value.every((item) => typeof item === 'string')
