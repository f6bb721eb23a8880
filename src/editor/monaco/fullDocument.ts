// The text in Monaco: the model outlives its editor while React hides it, so that undo is still there afterwards.
import type { editor, IDisposable, Uri } from 'monaco-editor/editor'
import { HUGE_LENGTH, LARGE_LENGTH } from '../constants.ts'
import type { EditorState, Surface } from '../editorState.ts'
import { countBreaks } from '../lineEnds.ts'
import type { PlainSurface } from '../plainSurface.ts'
import { LANGUAGE, LONG_LANGUAGE } from './language.ts'
import type { Monaco } from './monacoModule.ts'

export interface FullDocument {
  readonly monaco: Monaco
  readonly model: editor.ITextModel
  readonly surface: Surface
  /** Where the text to compare with stands while it is compared; it goes with the document. */
  readonly originalUri: Uri
  /** The editor that shows the model now; none while hidden. */
  setEditor(shown: editor.ICodeEditor | undefined): void
  editor(): editor.ICodeEditor | undefined
  /** Takes text, history, selection, scroll position and focus over from the textarea. */
  takeOver(area: HTMLTextAreaElement): void
  dispose(): void
}

/** Longer texts have no bracket matching. */
const BRACKETS_LENGTH = 100_000

const CLOSE_STEP_AFTER_MS = 100

/** More steps than this are not replayed: the text is carried over, its undo is not. */
const MOST_STEPS = 2_000

/** Monaco swallows one byte order mark when a model is filled; the text's own comes behind it. */
const toModel = (text: string) => (text.startsWith('\ufeff') ? `\ufeff${text}` : text)

export function createFullDocument(monaco: Monaco, state: EditorState): FullDocument {
  const uri = monaco.Uri.parse(
    `inmemory://latchkey/${crypto.getRandomValues(new Uint32Array(2)).join('')}.json`,
  )
  const originalUri = uri.with({ fragment: 'original' })
  const model = monaco.editor.createModel('', LANGUAGE, uri)
  model.setEOL(monaco.editor.EndOfLineSequence.LF)
  let shown: editor.ICodeEditor | undefined

  /** Before the text grows, so that nothing expensive is begun on it. */
  const chooseLanguage = (length: number) => {
    const wanted = length > HUGE_LENGTH ? 'plaintext' : length > BRACKETS_LENGTH ? LONG_LANGUAGE : LANGUAGE
    if (model.getLanguageId() !== wanted) monaco.editor.setModelLanguage(model, wanted)
  }
  const rangeOf = (start: number, end: number) =>
    monaco.Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end))

  const surface: Surface = {
    read: () => model.getValue(),
    length: () => model.getValueLength(),
    edit({ offset, removed, inserted }) {
      chooseLanguage(model.getValueLength() + inserted.length - removed.length)
      model.pushStackElement()
      model.pushEditOperations(
        shown?.getSelections() ?? null,
        [{ range: rangeOf(offset, offset + removed.length), text: inserted }],
        () => null,
      )
      // Closing the step packs the whole edit for undo; after a large one the text is painted first.
      if (inserted.length <= LARGE_LENGTH) model.pushStackElement()
      else setTimeout(() => model.isDisposed() || model.pushStackElement(), CLOSE_STEP_AFTER_MS)
    },
    selection() {
      const selection = shown?.getSelection()
      if (!selection) return { start: 0, end: 0 }
      return {
        start: model.getOffsetAt(selection.getStartPosition()),
        end: model.getOffsetAt(selection.getEndPosition()),
      }
    },
    select(start, end) {
      const range = rangeOf(start, end)
      shown?.setSelection(range)
      shown?.revealRangeInCenterIfOutsideViewport(range, monaco.editor.ScrollType.Immediate)
    },
    focus: () => shown?.focus(),
    undo: () => void model.undo(),
    redo: () => void model.redo(),
    canUndo: () => model.canUndo(),
    canRedo: () => model.canRedo(),
    stamp: () => model.getAlternativeVersionId(),
  }

  const listening: IDisposable = model.onDidChangeContent((event) => {
    if (state.surface() !== surface) return
    chooseLanguage(model.getValueLength())
    const stamp = surface.stamp()
    if (event.isUndoing || event.isRedoing) state.lineEnds.restore(stamp)
    else {
      for (const { range, text } of event.changes) {
        const removed = range.endLineNumber - range.startLineNumber
        state.lineEnds.change(range.startLineNumber - 1, removed, countBreaks(text), stamp)
      }
    }
    state.changed()
  })

  const fill = (plain: PlainSurface | undefined) => {
    const text = state.viewText()
    chooseLanguage(text.length)
    const steps = plain?.history.done ?? []
    if (steps.length === 0 || steps.length > MOST_STEPS) {
      model.setValue(toModel(text))
      return
    }
    const first = steps.reduceRight(
      (later, step) =>
        later.slice(0, step.offset) + step.removed + later.slice(step.offset + step.inserted.length),
      text,
    )
    model.setValue(toModel(first))
    for (const step of steps) surface.edit(step)
  }

  return {
    monaco,
    model,
    surface,
    originalUri,
    editor: () => shown,
    setEditor(next) {
      shown = next
    },
    takeOver(area) {
      const plain = state.surface() as PlainSurface | undefined
      const hadFocus = (area.getRootNode() as Document | ShadowRoot).activeElement === area
      const wasPreview = plain?.isPreview() ?? false
      const { selectionStart, selectionEnd, scrollTop, scrollLeft, selectionDirection } = area
      fill(plain)
      state.attach(surface, 'full')
      state.show({ full: 'ready' })
      if (!shown) return
      if (!wasPreview) {
        const start = model.getPositionAt(selectionStart)
        const end = model.getPositionAt(selectionEnd)
        const [anchor, head] = selectionDirection === 'backward' ? [end, start] : [start, end]
        shown.setSelection(
          new monaco.Selection(anchor.lineNumber, anchor.column, head.lineNumber, head.column),
        )
      }
      shown.setScrollPosition({ scrollTop, scrollLeft }, monaco.editor.ScrollType.Immediate)
      if (hadFocus) shown.focus()
    },
    dispose() {
      listening.dispose()
      monaco.editor.getModel(originalUri)?.dispose()
      model.dispose()
    },
  }
}
