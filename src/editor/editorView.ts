// What people see of the editor beside its text.
import type { JsonFault } from './types.ts'

/** What an action would make of the text: it waits until somebody decides. */
export interface Proposed {
  readonly label: string
  readonly before: string
  readonly after: string
  decide(isAgreed: boolean): void
}

/** What people see beside the text. */
export interface EditorView {
  readonly surface: 'plain' | 'full'
  /** How the full editor is doing. */
  readonly full: 'waiting' | 'loading' | 'ready' | 'failed'
  /** Says what the page's policy would have to allow for it; nothing when it failed for another reason. */
  readonly refusal?: string | undefined
  readonly verdict: 'unknown' | 'empty' | 'valid' | 'invalid' | 'too-large'
  readonly isChecking: boolean
  readonly faults: readonly JsonFault[]
  readonly canUndo: boolean
  readonly canRedo: boolean
  readonly isEmpty: boolean
  readonly size: 'small' | 'large' | 'huge'
  /** Long work that is going on, and how far it is from 0 to 1 where that is known. */
  readonly progress?: { readonly label: string; readonly done?: number } | undefined
  /** The last thing that happened, for the status line. */
  readonly note: string
  readonly proposed?: Proposed | undefined
  readonly isWrapped: boolean
  readonly isComparing: boolean
  readonly isOutlined: boolean
  readonly isFullScreen: boolean
  /** The textarea's own find bar is shown. */
  readonly isFinding: boolean
  /** By its own property or by a fieldset around it. */
  readonly isDisabled: boolean
  /** How high the full editor's text is, in pixels. */
  readonly contentHeight: number
  /** What the page around looks like, once that has been read. */
  readonly pageTheme?: 'light' | 'dark' | 'high-contrast' | undefined
}
