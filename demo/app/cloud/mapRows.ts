// The link map as rows of a table: what is shown of a user, what was typed, what is to be saved.
import type { LinkedEntry, LinkMap, LinkMapEntry } from 'latchkey'

/** What was typed for a user, by their id: the external id, or '' for no link. */
export type Draft = ReadonlyMap<string, string>

export interface MapRow {
  id: string
  name: string
  email: string
  externalName: string
  /** What is linked by the server's word. */
  linkedId: string
  entry: LinkMapEntry
}

export const toRows = (map: LinkMap): MapRow[] => map.map(toRow)

function toRow(entry: LinkMapEntry): MapRow {
  const { internalUser, externalUser } = entry
  const user = typeof internalUser === 'object' ? internalUser : { id: internalUser }
  const id = text(user['id']) ?? JSON.stringify(internalUser)
  return {
    id,
    name: text(user['name']) ?? id,
    email: text(user['email']) ?? '',
    externalName: text(externalUser?.['name']) ?? '',
    linkedId: externalUser ? String(externalUser.id) : '',
    entry,
  }
}

/** What stands in the field of a row. */
export const shownId = (row: MapRow, draft: Draft): string => draft.get(row.id) ?? row.linkedId

/** The draft with one more change; a change back to what is saved is none. */
export function withChange(draft: Draft, row: MapRow, value: string): Draft {
  const next = new Map(draft)
  if (value.trim() === row.linkedId) next.delete(row.id)
  else next.set(row.id, value)
  return next
}

/** The whole map as it is to be saved: every user with a link, those that were typed included. */
export function toSave(rows: readonly MapRow[], draft: Draft): LinkedEntry[] {
  return rows.flatMap(({ id, linkedId, entry: { internalUser, externalUser } }) => {
    const wanted = (draft.get(id) ?? linkedId).trim()
    if (wanted === '') return []
    return [
      { internalUser, externalUser: externalUser && wanted === linkedId ? externalUser : { id: wanted } },
    ]
  })
}

/** Users that were typed for and that a colleague has changed meanwhile, each otherwise: as the colleague has them. */
export function findDisputed(before: readonly MapRow[], now: readonly MapRow[], draft: Draft): MapRow[] {
  const theirs = new Map(now.map((row) => [row.id, row]))
  return before
    .filter(({ id }) => draft.has(id))
    .map((row): MapRow => theirs.get(row.id) ?? unlinked(row))
    .filter(({ id, linkedId }) => {
      const old = before.find((row) => row.id === id)?.linkedId
      return linkedId !== old && linkedId !== draft.get(id)?.trim()
    })
}

const unlinked = (row: MapRow): MapRow => ({
  ...row,
  linkedId: '',
  entry: { ...row.entry, externalUser: null },
})

/** Rows with the words in a name, an address or an id. */
export function search(rows: readonly MapRow[], words: string): readonly MapRow[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  if (wanted.length === 0) return rows
  return rows.filter((row) => {
    const content = [row.name, row.email, row.id, row.linkedId, row.externalName].join(' ').toLowerCase()
    return wanted.every((word) => content.includes(word))
  })
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
