// What comes over the textarea: the full editor; and the ties to the page.
import { type ReactElement, useMemo, useSyncExternalStore } from 'react'
import { FullLoader } from './FullLoader.tsx'
import type { PartProps } from './partProps.ts'
import { useSurroundings, writeTexts } from './useSurroundings.ts'

export function Overlays(given: PartProps): ReactElement | null {
  const { state, full = true } = given
  const { messages } = given
  const said = useMemo(() => writeTexts(messages), [messages])
  const props = { ...given, said }
  const view = useSyncExternalStore(state.subscribe, state.view, state.view)
  useSurroundings(props, view)
  return full ? <FullLoader {...props} /> : null
}
