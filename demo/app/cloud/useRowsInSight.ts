// Which rows of a long list can be seen: TanStack Virtual's own engine, held so that React Compiler can memoize its readers.
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useState } from 'react'

export interface Sight {
  totalPx: number
  rows: readonly { index: number; topPx: number }[]
}

const OVERSCAN = 8

export function useRowsInSight(
  scroll: RefObject<HTMLElement | null>,
  { count, rowPx }: { count: number; rowPx: number },
): Sight {
  const [sight, setSight] = useState<Sight>({ totalPx: count * rowPx, rows: [] })
  useLayoutEffect(() => {
    const engine = new Virtualizer({
      count,
      getScrollElement: () => scroll.current,
      estimateSize: () => rowPx,
      overscan: OVERSCAN,
      scrollToFn: elementScroll,
      observeElementOffset,
      observeElementRect,
      onChange: (changed) =>
        setSight({
          totalPx: changed.getTotalSize(),
          rows: changed.getVirtualItems().map(({ index, start }) => ({ index, topPx: start })),
        }),
    })
    const stop = engine._didMount()
    engine._willUpdate()
    return stop
  }, [scroll, count, rowPx])
  return sight
}
