// What a save would do, in words: how many users are linked, unlinked, linked otherwise, and the first of them by name.
import type { MapRow } from '../cloud/mapRows.ts'
import type { MapChanges } from './mapChanges.ts'

const MOST_NAMED = 3

export function ChangeList({ changes }: { changes: MapChanges | string }) {
  if (typeof changes === 'string') {
    return (
      <div className="change-list" role="status">
        <p className="change-fault">
          <strong>This cannot be saved as it is.</strong> {changes}
        </p>
      </div>
    )
  }
  const groups = (
    [
      ['linked', changes.added],
      ['linked otherwise', changes.changed],
      ['unlinked', changes.removed],
    ] as const
  ).filter(([, rows]) => rows.length > 0)
  return (
    <div className="change-list" role="status">
      {groups.length === 0 && <p>No link changes: only what is written around them.</p>}
      {groups.map(([what, rows]) => (
        <p key={what}>
          <strong>{rows.length === 1 ? '1 user' : `${rows.length} users`}</strong> {what}:{' '}
          <span className="soft">{nameSome(rows)}</span>
        </p>
      ))}
    </div>
  )
}

function nameSome(rows: readonly MapRow[]): string {
  const names = rows.slice(0, MOST_NAMED).map(({ name }) => name)
  if (rows.length > MOST_NAMED) names.push(`${rows.length - MOST_NAMED} more`)
  return names.join(', ')
}
