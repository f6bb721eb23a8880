// What saving a text would do to the link map, in users rather than in lines.
import type { LinkedEntry, LinkMap } from 'latchkey'
import { parseJson } from 'latchkey/editor'
import { type MapRow, toRows } from '../cloud/mapRows.ts'

export interface MapChanges {
  /** To be sent as it is. */
  readonly entries: readonly LinkedEntry[]
  readonly added: readonly MapRow[]
  readonly removed: readonly MapRow[]
  /** As they are to be. */
  readonly changed: readonly MapRow[]
}

/** The map as a text to be edited: who is not linked has no line. */
export const toText = (map: LinkMap): string =>
  JSON.stringify(
    map.filter(({ externalUser }) => externalUser !== null),
    undefined,
    2,
  )

/** Compares a text with what is saved; a sentence when the text is no map that could be saved as it is written. */
export function findChanges(saved: LinkMap, text: string): MapChanges | string {
  const parsed = parseJson(text)
  const [first] = parsed.faults
  // A doubt counts here: another number, or one of two equal keys, would be saved than the one that stands there.
  if (first) return `Line ${first.line}: ${first.message}`
  if (!parsed.valid || !isMap(parsed.value)) return 'A link map is a list of links, each with both users.'
  const before = byId(toRows(saved))
  const after = byId(toRows(parsed.value))
  if (after.size < parsed.value.length) return 'A user stands in it twice.'
  return {
    entries: parsed.value,
    added: [...after.values()].filter(({ id }) => !before.has(id)),
    removed: [...before.values()].filter(({ id }) => !after.has(id)),
    changed: [...after.values()].filter(
      ({ id, linkedId }) => (before.get(id)?.linkedId ?? linkedId) !== linkedId,
    ),
  }
}

/** Merges the changes of two people. Where both changed the link of one user, `mine` wins and `disputed` lists that user. */
export function mergeMaps(base: LinkMap, mine: LinkMap, theirs: LinkMap) {
  const [before, my, their] = [byId(toRows(base)), byId(toRows(mine)), byId(toRows(theirs))]
  const linkIn = (rows: typeof before, id: string) => rows.get(id)?.linkedId ?? ''
  const merged = [...new Set([...their.keys(), ...my.keys()])].map((id) => {
    const link = linkIn(before, id)
    const isTheirs = linkIn(their, id) !== link
    const isDisputed = isTheirs && ![link, linkIn(their, id)].includes(linkIn(my, id))
    return { id, isDisputed, row: isTheirs && linkIn(my, id) === link ? their.get(id) : my.get(id) }
  })
  const entries = merged.flatMap(({ row }) => row?.entry ?? [])
  return {
    text: toText(entries),
    disputed: merged.flatMap(({ id, isDisputed }) => (isDisputed ? (their.get(id) ?? my.get(id)!) : [])),
  }
}

const byId = (rows: readonly MapRow[]): Map<string, MapRow> => new Map(rows.map((row) => [row.id, row]))

/** The schema says more, and the hook checks once more; this is what the comparison itself needs. */
const isMap = (value: unknown): value is LinkedEntry[] =>
  Array.isArray(value) &&
  value.every(
    (entry: Partial<LinkedEntry> | null) =>
      (typeof entry?.internalUser === 'string' ||
        typeof entry?.internalUser === 'number' ||
        (typeof entry?.internalUser === 'object' && entry.internalUser !== null)) &&
      typeof entry.externalUser === 'object' &&
      entry.externalUser !== null,
  )
