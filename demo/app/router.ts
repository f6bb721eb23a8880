// The smallest router that does: the path names the screen, and the rest of the address is left alone.
import { useSyncExternalStore } from 'react'

function listen(onChange: () => void): () => void {
  addEventListener('popstate', onChange)
  return () => removeEventListener('popstate', onChange)
}

/** The path of the address now. */
export function usePath(): string {
  return useSyncExternalStore(listen, () => location.pathname)
}

/** Goes to another screen of this app without leaving the page. */
export function goTo(path: string): void {
  history.pushState(null, '', path)
  dispatchEvent(new PopStateEvent('popstate', { state: null }))
}
