// What every later part of the editor is given; each takes what it needs.
import type { EditorInputs, EditorState } from '../editorState.ts'
import type { ActionsSource } from './actions.ts'

/** The props of the editor as they were given, and what the editor adds. */
export interface PartProps extends EditorInputs {
  readonly state: EditorState
  readonly actions: ActionsSource
  readonly root: HTMLElement
  readonly area: HTMLTextAreaElement
  /** The id of the textarea. */
  readonly boxId: string
  readonly canEdit: boolean
  readonly isDisabled: boolean
  /** The ids of what describes the text, its status among them. */
  readonly describedBy: string
  /** The first text: a reset comes back to it. */
  readonly initial: string
  readonly look: 'light' | 'dark' | 'high-contrast' | undefined
  /** Grows when people ask to load the full editor again. */
  readonly attempt: number
}

/** True on the focused element while Escape is the editor's. Mantine asks it by this name, before its dialog closes. */
export const OWN_ESCAPE = 'data-mantine-stop-propagation'
