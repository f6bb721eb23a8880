// What comes beside the text or over it: the outline, fetched when it is opened for the first time, and what an action proposes.
import { type ComponentType, type ReactElement, useEffect, useState, useSyncExternalStore } from 'react'
import { createLaterFile } from '../laterFile.ts'
import { withTexts } from '../messages.ts'
import { loadPart } from './loading.ts'
import type { PartProps } from './partProps.ts'
import { Proposal } from './Proposal.tsx'
import { TOOL_MESSAGES } from './toolMessages.ts'

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
  const { subscribe, view } = props.state
  const { isOutlined, proposed } = useSyncExternalStore(subscribe, view, view)
  return (
    <>
      {isOutlined && <OutlineLoader {...props} />}
      {proposed && <Proposal {...props} proposed={proposed} />}
    </>
  )
}
