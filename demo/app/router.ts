// The smallest router that does: the path names the screen, and the rest of the address is left alone.
import { useSyncExternalStore } from 'react'

function listen(onChange: () => void): () => void {
  addEventListener('popstate', onChange)
  return () => removeEventListener('popstate', onChange)
}

const BASE = import.meta.env.BASE_URL

/** The path of the address now, from where the app lies. A host of files names a folder, or the page in it. */
export function usePath(): string {
  return useSyncExternalStore(listen, () =>
    `/${location.pathname.slice(BASE.length)}`.replace(/index\.html$/, '').replace(/(.)\/$/, '$1'),
  )
}

/** The address of a screen. Below a path of its own the app lies on a host of files, as one folder per screen. */
export const addressOf = (path: string): string =>
  BASE === '/' || path === '/' ? BASE + path.slice(1) : `${BASE}${path.slice(1)}/`

/** Goes to another screen of this app without leaving the page. */
export function goTo(path: string): void {
  history.pushState(null, '', addressOf(path))
  dispatchEvent(new PopStateEvent('popstate', { state: null }))
}
