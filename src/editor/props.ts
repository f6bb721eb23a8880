// The props of JsonEditor, and its ref.
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

/** Props of `JsonEditor`; all of them may be left out. `data-*` attributes go to the outermost element. */
export interface JsonEditorProps {
  /** The text, if the parent holds it (controlled). A late or changed value never moves the cursor or clears undo. */
  value?: string | undefined
  /** The first text (uncontrolled); resetting the form restores it. */
  defaultValue?: string | undefined
  /** Every change by a person or an action; above 500,000 characters after a pause of 166 ms, else at once. */
  onChange?: ((text: string) => void) | undefined
  /** Called after each check with what is wrong or doubtful; with an empty list if nothing is. */
  onValidate?: ((faults: readonly JsonFault[]) => void) | undefined
  /**
   * A JSON Schema (draft 4 to 2020-12): the text is judged by it wherever it is shown, completed and explained in the full
   * editor. Until the verdict is there the editor says "Checking…", and a form waits for it. Nothing is fetched.
   */
  schema?: object | boolean | null | undefined
  /** What a duplicate key in an object counts as. Default `'warning'`. */
  duplicates?: DuplicateKeys | undefined
  /** The name people see; it names the editor for screen readers as well. */
  label?: ReactNode
  /** Names the editor for screen readers where there is no `label`. */
  'aria-label'?: string | undefined
  /** Ids of what describes the editor further; its own status is added. */
  'aria-describedby'?: string | undefined
  /** Id of the field. Default: one of its own. */
  id?: string | undefined
  /** Put beside the own class of the outermost element. */
  className?: string | undefined
  /** Put on the outermost element. */
  style?: CSSProperties | undefined
  /** Takes the focus when it is mounted. Default false. */
  autoFocus?: boolean | undefined
  /** The text can be read, searched and copied, not changed; Monaco loads when the user clicks or focuses it. Default false. */
  readOnly?: boolean | undefined
  /** Cannot be reached or changed, and a form leaves it out. Default false. */
  disabled?: boolean | undefined
  /** The field's name in a form: the form gets the text byte for byte. */
  name?: string | undefined
  /** An empty text keeps the form from being sent. Default false. */
  required?: boolean | undefined
  /** Shown while the text is empty. */
  placeholder?: string | undefined
  /** CSS length, number of pixels, `'auto'` to grow with the text. Default 320. */
  height?: number | string | undefined
  /** Where `height="auto"` stops growing. Default 60vh. */
  maxHeight?: number | string | undefined
  /**
   * Height of the place under the text for the verdict and the faults: the list scrolls in it, and nothing below moves
   * when a verdict comes or goes. Default: as high as they are.
   */
  faultsHeight?: number | string | undefined
  /** `'auto'` follows the page. Default `'auto'`. */
  theme?: 'auto' | 'light' | 'dark' | 'high-contrast' | undefined
  /** Spaces of one step of indentation. Default 2. */
  tabSize?: number | undefined
  /** Shown under the text while the full editor loads; the default is one sentence, `null` is nothing. */
  loadingFallback?: ReactNode
  /** A text to compare with: the toolbar gets "Compare". */
  original?: string | undefined
  /** Which buttons the toolbar has; `false` for no toolbar. Default all that apply. */
  toolbar?: boolean | readonly EditorTool[] | undefined
  /**
   * When Monaco takes the textarea's place: `true` when the browser is idle, `'focus'` when the user clicks or focuses the editor,
   * `false` never. Default: when idle; on focus where it is `readOnly` or the user saves data.
   */
  full?: boolean | 'focus' | undefined
  /** Options of Monaco's editor; they override the editor's own. */
  options?: editor.IStandaloneEditorConstructionOptions | undefined
  /** Called when Monaco is there, before its editor is created. */
  beforeMount?: ((monaco: Monaco) => void) | undefined
  /** Called when Monaco's editor shows the text. */
  onMount?: ((editor: editor.IStandaloneCodeEditor, monaco: Monaco) => void) | undefined
  /** The name of a downloaded file. Default `{name}.json`. */
  fileName?: string | undefined
  /** Texts for another language. */
  messages?: EditorMessages | undefined
  /** The field got the focus. */
  onFocus?: (() => void) | undefined
  /** The field lost the focus. */
  onBlur?: (() => void) | undefined
}

/** What the `ref` holds. The actions resolve to `true` if they changed the text. */
export interface JsonEditorHandle {
  /** The text as it is now, byte for byte. */
  getValue(): string
  /** Puts a text in place as one step that undo takes back. */
  setValue(text: string): void
  /** One line for each member, each step `tabSize` spaces; false when nothing changed or the text is not JSON. */
  format(): Promise<boolean>
  /** All in one line without spaces; false when nothing changed or the text is not JSON. */
  compact(): Promise<boolean>
  /** Sorts the members by key, on every level; false when nothing changed or the text is not JSON. */
  sortKeys(): Promise<boolean>
  /** Fixes almost-JSON; false when nothing changed or it cannot be fixed. */
  repair(): Promise<boolean>
  /** Checks now and resolves with what was found. */
  validate(): Promise<readonly JsonFault[]>
  /** Puts the focus into the text. */
  focus(): void
  /** Takes the last step back. */
  undo(): void
  /** Brings a step back that was undone. */
  redo(): void
  /** Opens Monaco's search; in the textarea, use the browser's own. */
  find(): void
  /** Copies the text to the clipboard; false when the browser refuses. */
  copy(): Promise<boolean>
  /** Saves the text as the file `fileName`. */
  download(): void
  /** Opens a file in place of the text. */
  open(file: Blob & { readonly name?: string }): Promise<boolean>
  /** Shows or hides the differences from `original`. */
  compare(isShown: boolean): void
  /** Monaco and its editor; nothing while the textarea is shown. */
  getMonaco(): MonacoParts | undefined
}
