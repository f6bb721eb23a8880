// Props that all parts of the editor which load later share.
import type { EditorInputs, EditorState } from '../editorState.ts'
import type { ActionsSource } from './actions.ts'

/** The editor's props and what it adds for its parts. */
export interface PartProps extends EditorInputs {
  readonly state: EditorState
  readonly actions: ActionsSource
  readonly root: HTMLElement
  readonly area: HTMLTextAreaElement
  /** The id of the textarea. */
  readonly boxId: string
  readonly canEdit: boolean
  readonly isDisabled: boolean
  /** Ids of the elements that describe the text, its status included. */
  readonly describedBy: string
  /** The initial text, which a reset restores. */
  readonly initial: string
  readonly look: 'light' | 'dark' | 'high-contrast' | undefined
  /** Increases when the user retries loading the full editor. */
  readonly attempt: number
}

/** True on the focused element while the editor handles Escape. Mantine reads this attribute before its dialog closes. */
export const OWN_ESCAPE = 'data-mantine-stop-propagation'
