// The props of `JsonEditor` and the handle of its ref.
import type { editor } from 'monaco-editor/editor'
import type { CSSProperties, ReactNode } from 'react'
import type { EditorMessages } from './messages.ts'
import type { Monaco } from './monaco/language.ts'
import type { EditorTool } from './tools/toolMessages.ts'
import type { DuplicateKeys, JsonFault } from './types.ts'

/** Monaco and the editor that shows the text. */
export interface MonacoParts {
  /** The editor that shows the text. */
  readonly editor: editor.IStandaloneCodeEditor
  /** Monaco itself. */
  readonly monaco: Monaco
}

/** Props of `JsonEditor`, all optional. `data-*` attributes go to the outermost element. */
export interface JsonEditorProps {
  /** The text (controlled). A late or changed value never moves the cursor or clears undo. */
  value?: string | undefined
  /** The initial text (uncontrolled); resetting the form restores it. */
  defaultValue?: string | undefined
  /** Called on each change by the user or an action; above 500,000 characters after a pause of 166 ms, else at once. */
  onChange?: ((text: string) => void) | undefined
  /** Called after each check with its faults; the list is empty if there are none. */
  onValidate?: ((faults: readonly JsonFault[]) => void) | undefined
  /**
   * A JSON Schema (draft 4 to 2020-12) that the text is checked against; the full editor also offers completion and hover.
   * While a check runs the editor shows "Checking…", and a form waits. Nothing is fetched.
   */
  schema?: object | boolean | null | undefined
  /** How duplicate keys in an object count. Default `'warning'`. */
  duplicates?: DuplicateKeys | undefined
  /** The visible label, which also names the editor for screen readers. */
  label?: ReactNode
  /** Names the editor for screen readers if there is no `label`. */
  'aria-label'?: string | undefined
  /** Ids of elements that describe the editor; its own status is added. */
  'aria-describedby'?: string | undefined
  /** Id of the field. Default: generated. */
  id?: string | undefined
  /** Added to the classes of the outermost element. */
  className?: string | undefined
  /** Style of the outermost element. */
  style?: CSSProperties | undefined
  /** Focuses the editor when it mounts. Default false. */
  autoFocus?: boolean | undefined
  /** The text can be read, searched and copied but not changed; Monaco loads when the user clicks or focuses it. Default false. */
  readOnly?: boolean | undefined
  /** The editor cannot be focused or changed, and a form leaves it out. Default false. */
  disabled?: boolean | undefined
  /** The field's name in a form: the form gets the text byte for byte. */
  name?: string | undefined
  /** An empty text blocks the submit. Default false. */
  required?: boolean | undefined
  /** Shown while the text is empty. */
  placeholder?: string | undefined
  /** A CSS length, pixels, or `'auto'` to grow with the text. Default 320. */
  height?: number | string | undefined
  /** The limit of `height="auto"`. Default 60vh. */
  maxHeight?: number | string | undefined
  /**
   * Fixed height of the area below the text: the list of faults scrolls in it, and nothing below moves when a result comes.
   * Default: the height of its content.
   */
  faultsHeight?: number | string | undefined
  /** `'auto'` follows the page. Default `'auto'`. */
  theme?: 'auto' | 'light' | 'dark' | 'high-contrast' | undefined
  /** Spaces per level of indentation. Default 2. */
  tabSize?: number | undefined
  /** Shown below the text while the full editor loads. Default: one sentence; `null` shows nothing. */
  loadingFallback?: ReactNode
  /** A text to compare with; it adds "Compare" to the toolbar. */
  original?: string | undefined
  /** The buttons of the toolbar; `false` hides it. Default: all that apply. */
  toolbar?: boolean | readonly EditorTool[] | undefined
  /**
   * When Monaco takes the textarea's place: `true` when the browser is idle, `'focus'` when the user clicks or focuses the editor,
   * `false` never. Default: when idle; at the focus if it is `readOnly` or the browser asks to save data.
   */
  full?: boolean | 'focus' | undefined
  /** Options of Monaco's editor; they override the editor's own. */
  options?: editor.IStandaloneEditorConstructionOptions | undefined
  /** Called once Monaco is loaded, before its editor is created. */
  beforeMount?: ((monaco: Monaco) => void) | undefined
  /** Called when Monaco's editor shows the text. */
  onMount?: ((editor: editor.IStandaloneCodeEditor, monaco: Monaco) => void) | undefined
  /** The name of a downloaded file. Default `{name}.json`. */
  fileName?: string | undefined
  /** Texts in another language. */
  messages?: EditorMessages | undefined
  /** Called when the field gets the focus. */
  onFocus?: (() => void) | undefined
  /** Called when the field loses the focus. */
  onBlur?: (() => void) | undefined
}

/** The handle that `ref` receives. Actions resolve to `true` if they changed the text. */
export interface JsonEditorHandle {
  /** The current text, byte for byte. */
  getValue(): string
  /** Replaces the text, as one undo step. */
  setValue(text: string): void
  /** One line per member, each level indented by `tabSize` spaces; false if nothing changed or the text is not JSON. */
  format(): Promise<boolean>
  /** All on one line without spaces; false if nothing changed or the text is not JSON. */
  compact(): Promise<boolean>
  /** Sorts the members by key at every level; false if nothing changed or the text is not JSON. */
  sortKeys(): Promise<boolean>
  /** Fixes almost-JSON; false if nothing changed or it cannot be fixed. */
  repair(): Promise<boolean>
  /** Checks now and resolves with the faults. */
  validate(): Promise<readonly JsonFault[]>
  /** Focuses the text. */
  focus(): void
  /** Undoes the last step. */
  undo(): void
  /** Redoes the step that was undone last. */
  redo(): void
  /** Opens Monaco's search; in the textarea, use the browser's own. */
  find(): void
  /** Copies the text to the clipboard; false if the browser refuses. */
  copy(): Promise<boolean>
  /** Saves the text as the file `fileName`. */
  download(): void
  /** Replaces the text with that of a file. */
  open(file: Blob & { readonly name?: string }): Promise<boolean>
  /** Shows or hides the differences from `original`. */
  compare(isShown: boolean): void
  /** Monaco and its editor; `undefined` while the textarea is shown. */
  getMonaco(): MonacoParts | undefined
}
