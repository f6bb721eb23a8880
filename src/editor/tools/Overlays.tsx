// What comes over the textarea or beside it: the full editor, the outline, what an action proposes; and the ties to the page.
import { type ComponentType, type ReactElement, useEffect, useState, useSyncExternalStore } from 'react'
import { createLaterFile } from '../laterFile.ts'
import { withTexts } from '../messages.ts'
import { FullLoader } from './FullLoader.tsx'
import { loadPart } from './loading.ts'
import type { PartProps } from './partProps.ts'
import { Proposal } from './Proposal.tsx'
import { TOOL_MESSAGES } from './toolMessages.ts'
import { useSurroundings } from './useSurroundings.ts'

const outline = createLaterFile(() => loadPart(() => import('./Outline.tsx')))

function OutlineLoader(props: PartProps): ReactElement | null {
  const { state } = props
  const [Outline, setOutline] = useState<ComponentType<PartProps> | undefined>(
    () => outline.arrived()?.Outline,
  )
  useEffect(() => {
    let isGone = false
    outline.load().then(
      ({ Outline: arrived }) => {
        if (!isGone) setOutline(() => arrived)
      },
      () => {
        const { cannotLoad: note } = withTexts(TOOL_MESSAGES, state.inputs().messages)
        if (!isGone) state.show({ isOutlined: false, note })
      },
    )
    return () => {
      isGone = true
    }
  }, [state])
  return Outline ? <Outline {...props} /> : null
}

export function Overlays(props: PartProps): ReactElement {
  const { state, full = true } = props
  const view = useSyncExternalStore(state.subscribe, state.view, state.view)
  useSurroundings(props, view)
  return (
    <>
      {full && <FullLoader {...props} />}
      {view.isOutlined && <OutlineLoader {...props} />}
      {view.proposed && <Proposal {...props} proposed={view.proposed} />}
    </>
  )
}
