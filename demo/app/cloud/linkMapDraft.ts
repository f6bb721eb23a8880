// Keeps what was typed into the link map, as a table or as a text, when the user is signed out before saving; for the same user in the same firm.
import type { LinkMap, User } from 'latchkey'
import type { Draft } from './mapRows.ts'

type Owner = Pick<User, 'userId' | 'firmId'>
type Kind = 'draft' | 'text'

const prefixOf = (kind: Kind, { userId, firmId }: Owner) =>
  `deskwell link map ${kind} ${JSON.stringify([String(firmId), String(userId)])} `

/** Every tab has an entry of its own: they all save at the same time, and none may overwrite another's. */
const keep = (kind: Kind, owner: Owner, value: unknown): void =>
  localStorage.setItem(prefixOf(kind, owner) + crypto.randomUUID(), JSON.stringify(value))

/** A text of the JSON view, and the map that it was typed over. */
export interface KeptText {
  text: string
  base: LinkMap
}

export const keepText = (owner: Owner, kept: KeptText): void => keep('text', owner, kept)

export function keepDraft(owner: Owner, draft: Draft): void {
  if (draft.size > 0) keep('draft', owner, [...draft])
}

const keysOf = (kind: Kind, owner: Owner) =>
  Object.keys(localStorage).filter((key) => key.startsWith(prefixOf(kind, owner)))

function read(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '')
  } catch {
    return undefined
  }
}

/** The texts of all tabs by their keys: two texts cannot be made one. */
export const readTexts = (owner: Owner): [key: string, kept: KeptText][] =>
  keysOf('text', owner).flatMap((key): [string, KeptText][] => {
    const { text, base } = Object(read(key)) as Partial<KeptText>
    return typeof text === 'string' && Array.isArray(base) ? [[key, { text, base }]] : []
  })

/** What all tabs have kept, as one draft. */
export const readDraft = (owner: Owner): Draft =>
  new Map(keysOf('draft', owner).flatMap((key) => (read(key) ?? []) as [string, string][]))

export const forget = (key: string): void => localStorage.removeItem(key)

export function forgetDraft(owner: Owner): void {
  for (const key of keysOf('draft', owner)) forget(key)
}
