// The editor over the whole page, and back.
import { useEffect } from 'react'
import type { EditorState } from '../editorState.ts'

/**
 * Puts the editor above everything else while `isFullScreen`. Whoever leaves it by keyboard, or is called to a dialog of the
 * page, must see where the focus is: then it ends.
 */
export function useFullScreen(root: HTMLElement, state: EditorState, isFullScreen: boolean): void {
  useEffect(() => {
    // A browser of before 2024 knows no such layer.
    if (!isFullScreen || typeof root.showPopover !== 'function') return undefined
    const page = root.ownerDocument
    const held = page.activeElement as HTMLElement | null
    const end = () => state.show({ isFullScreen: false })
    const watch = ({ target }: FocusEvent) => {
      if (!root.contains(target as Node)) end()
    }
    const escape = (event: KeyboardEvent) => {
      // Whatever is open inside closes first: Monaco has prevented the default then.
      const isTaken =
        event.defaultPrevented || (event.target as Element).closest('.lkje-find, .lkje-proposal')
      if (event.key !== 'Escape' || isTaken) return
      // A dialog around the editor stays open.
      event.preventDefault()
      end()
    }
    root.setAttribute('popover', 'manual')
    root.showPopover()
    held?.focus({ preventScroll: true })
    const listening = new AbortController()
    page.addEventListener('focusin', watch, { signal: listening.signal })
    root.addEventListener('keydown', escape, { signal: listening.signal })
    return () => {
      listening.abort()
      const last = page.activeElement as HTMLElement | null
      root.removeAttribute('popover')
      last?.focus({ preventScroll: true })
    }
  }, [root, state, isFullScreen])
}
