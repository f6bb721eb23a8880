// Whether a media query fits the page now.
import { useState, useSyncExternalStore } from 'react'

export function useMedia(query: string): boolean {
  const [media] = useState(() => matchMedia(query))
  const [subscribe] = useState(() => (onChange: () => void) => {
    media.addEventListener('change', onChange)
    return () => media.removeEventListener('change', onChange)
  })
  return useSyncExternalStore(subscribe, () => media.matches)
}
