// What a visitor of the tour has tried, remembered for this tab: some stops leave the page.
import { useSyncExternalStore } from 'react'

const KEY = 'deskwell.tour'
const listeners = new Set<() => void>()
const known: { text: string; ids: readonly string[] } = { text: '', ids: [] }

/** The same list until it changes. */
function read(): readonly string[] {
  let text: string
  try {
    text = sessionStorage.getItem(KEY) ?? ''
  } catch {
    // Storage is denied: what was tried lasts as long as the page.
    return known.ids
  }
  if (text !== known.text) Object.assign(known, { text, ids: text.split(' ').filter(Boolean) })
  return known.ids
}

export function markTried(id: string): void {
  const ids = read()
  if (ids.includes(id)) return
  const next = [...ids, id]
  Object.assign(known, { text: next.join(' '), ids: next })
  try {
    sessionStorage.setItem(KEY, known.text)
  } catch {
    // As above.
  }
  for (const listener of listeners) listener()
}

export const useTried = (): readonly string[] => useSyncExternalStore(listen, read)

function listen(onChange: () => void): () => void {
  listeners.add(onChange)
  return () => listeners.delete(onChange)
}
