// Where the keyboard goes on when another screen, or the page outside the app, takes the place of what was shown.
import { useEffect, useRef } from 'react'

let shown: string | undefined

/** After a change of view the keyboard goes on at its beginning, as after a page load; the first one takes no focus. */
export function useFocusOnChange(view: string) {
  const ref = useRef<HTMLElement>(null)
  useEffect(() => {
    const isFirst = shown === undefined
    const isSame = shown === view
    shown = view
    if (isFirst || isSame) return
    ref.current?.focus({ preventScroll: true })
    ref.current?.scrollIntoView({ block: 'start' })
  }, [view])
  return ref
}
