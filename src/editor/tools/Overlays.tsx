// What comes over the textarea: the full editor; and the ties to the page.
import { type ReactElement, useSyncExternalStore } from 'react'
import { FullLoader } from './FullLoader.tsx'
import type { PartProps } from './partProps.ts'
import { useSurroundings } from './useSurroundings.ts'

export function Overlays(props: PartProps): ReactElement | null {
  const { state, full = true } = props
  const view = useSyncExternalStore(state.subscribe, state.view, state.view)
  useSurroundings(props, view)
  return full ? <FullLoader {...props} /> : null
}
