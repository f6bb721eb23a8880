// Thousands of users of which only those in sight are on the page, and all of them on paper; each with the account they are linked to.
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import { Badge } from '../parts/Badge.tsx'
import { skipTo } from '../parts/skipTo.ts'
import { useMedia } from '../useMedia.ts'
import { type Draft, type MapRow, shownId } from './mapRows.ts'

const ROW_REM = 4
const NARROW_ROW_REM = 7
const NARROW = '(max-width: 40em)'
const remPx = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize)

export interface MapTableProps {
  rows: readonly MapRow[]
  draft: Draft
  isReadOnly: boolean
  onChange(row: MapRow, value: string): void
}

export function MapTable({ rows, draft, isReadOnly, onChange }: MapTableProps) {
  const scroll = useRef<HTMLDivElement>(null)
  const end = useRef<HTMLSpanElement>(null)
  const isNarrow = useMedia(NARROW)
  const isPrinted = useMedia('print')
  const [rem] = useState(remPx)
  const rowPx = rem * (isNarrow ? NARROW_ROW_REM : ROW_REM)
  // There is nothing to memoize: the table renders when what is in sight changes.
  // oxlint-disable-next-line react/incompatible-library
  const sight = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowPx,
    overscan: 8,
    useFlushSync: false,
  })
  useEffect(() => sight.measure(), [sight, rowPx])
  const inSight = sight.getVirtualItems().map(({ index }) => index)
  const shown = isPrinted ? [...rows.keys()] : inSight
  return (
    <>
      {/* Not by the address, as the page's own. */}
      <a className="skip" href="#after-map" onClick={(event) => skipTo(event, end.current)}>
        Skip the table
      </a>
      <div className="map" role="table" aria-label="Link map" aria-rowcount={rows.length + 1}>
        <div role="rowgroup">
          <div role="row" aria-rowindex={1} className="map-row map-head">
            <span role="columnheader">User of the firm</span>
            <span role="columnheader">Cloud account</span>
            <span role="columnheader">State</span>
          </div>
        </div>
        <div ref={scroll} className="map-scroll" role="rowgroup">
          <div className="map-body" role="presentation" style={{ height: sight.getTotalSize() }}>
            {shown.map((index) => {
              const row = rows[index]
              return (
                row && (
                  <Row
                    key={row.id}
                    row={row}
                    index={index}
                    topPx={index * rowPx}
                    value={shownId(row, draft)}
                    isChanged={draft.has(row.id)}
                    isReadOnly={isReadOnly}
                    onChange={onChange}
                  />
                )
              )
            })}
          </div>
        </div>
      </div>
      <span ref={end} id="after-map" tabIndex={-1} />
    </>
  )
}

function Row({
  row,
  index,
  topPx,
  value,
  isChanged,
  isReadOnly,
  onChange,
}: Pick<MapTableProps, 'isReadOnly' | 'onChange'> & {
  row: MapRow
  index: number
  topPx: number
  value: string
  isChanged: boolean
}) {
  const isLinked = value.trim() !== ''
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={`map-row ${isChanged ? 'is-changed' : ''}`}
      style={{ transform: `translateY(${topPx}px)` }}
    >
      <span role="cell" className="map-user">
        <strong>{row.name}</strong>
        <span className="soft small">{row.email || row.id}</span>
      </span>
      <span role="cell">
        <input
          aria-label={`Cloud account of ${row.name}, ${row.id}`}
          value={value}
          readOnly={isReadOnly}
          placeholder="not linked"
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onChange(row, event.target.value)}
        />
      </span>
      <span role="cell">
        <Badge tone={isChanged ? 'warn' : isLinked ? 'good' : 'plain'}>
          {isChanged ? 'Changed' : isLinked ? 'Linked' : 'Not linked'}
        </Badge>
      </span>
    </div>
  )
}
