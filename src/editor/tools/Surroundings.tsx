// Ties the editor to the page around it: its form, its fieldset, its colours. It shows nothing itself.
import { useEffect, useLayoutEffect, useSyncExternalStore } from 'react'
import type { EditorState } from '../editorState.ts'
import { adoptStyle } from '../style.ts'
import type { ActionsSource } from './actions.ts'
import { listenToGestures } from './gestures.ts'
import { readPageTheme, watchPageTheme } from './theme.ts'
import { TOOL_CSS } from './toolStyle.ts'
import { useFullScreen } from './useFullScreen.ts'
import { useFieldset, useFormField, useStill, useValidity } from './useFormField.ts'

export interface SurroundingsProps {
  readonly state: EditorState
  readonly root: HTMLElement | null
  readonly area: HTMLTextAreaElement | null
  readonly name: string | undefined
  readonly initial: string
  readonly disabled: boolean
  readonly actions: ActionsSource
}

export function Surroundings({
  state,
  root,
  area,
  name,
  initial,
  disabled,
  actions,
}: SurroundingsProps): null {
  const view = useSyncExternalStore(state.subscribe, state.view, state.view)
  useLayoutEffect(() => {
    if (!root) return undefined
    adoptStyle(root, TOOL_CSS)
    const read = () => state.show({ pageTheme: readPageTheme(root) })
    read()
    return watchPageTheme(read)
  }, [root, state])
  useEffect(() => (root ? listenToGestures(root, state, actions) : undefined), [root, state, actions])
  useFormField(area, state, { name, initial })
  useFieldset(area, state, disabled)
  useValidity(area, state, view)
  useStill(root)
  useFullScreen(root, state, view.isFullScreen)
  return null
}
