// The text as a Monaco model, and the surface that edits it.
import type { editor, Uri } from 'monaco-editor/editor'
import { HUGE_LENGTH } from '../limits.ts'
import { findEdit } from '../edits.ts'
import type { EditorState, Surface } from '../editorState.ts'
import { toView } from '../lineEnds.ts'
import { LANGUAGE, languageFor, type Monaco } from './language.ts'

export type FullDocument = ReturnType<typeof createFullDocument>

/** URIs of disposed documents, to be reused: Monaco never frees the memory of a URI that has had a fault. */
const freeUris: Uri[] = []

function takeUri(monaco: Monaco): Uri {
  const name = () => crypto.getRandomValues(new Uint32Array(2)).join('')
  return freeUris.pop() ?? monaco.Uri.parse(`inmemory://latchkey/${name()}.json`)
}

/** Monaco drops one byte order mark when a model is filled; the text's own follows it. */
const toModel = (text: string) => (text.startsWith('\ufeff') ? `\ufeff${text}` : text)

/** Takes selection and scroll position over from the textarea. */
function showPlace(shown: editor.ICodeEditor, monaco: Monaco, area: HTMLTextAreaElement): void {
  const { selectionStart, selectionEnd, scrollTop, scrollLeft, selectionDirection } = area
  const model = shown.getModel()!
  const [start, end] = [model.getPositionAt(selectionStart), model.getPositionAt(selectionEnd)]
  const [anchor, head] = selectionDirection === 'backward' ? [end, start] : [start, end]
  shown.setSelection(new monaco.Selection(anchor.lineNumber, anchor.column, head.lineNumber, head.column))
  shown.setScrollPosition({ scrollTop, scrollLeft }, monaco.editor.ScrollType.Immediate)
}

export function createFullDocument(monaco: Monaco, state: EditorState) {
  const uri = takeUri(monaco)
  const originalUri = uri.with({ path: `/original${uri.path}` })
  const model = monaco.editor.createModel('', LANGUAGE, uri)
  model.setEOL(monaco.editor.EndOfLineSequence.LF)
  let shown: editor.ICodeEditor | undefined
  let isComposing = false

  /** Called before the text grows, so that nothing expensive starts on it. */
  const chooseLanguage = (of: editor.ITextModel, length: number) => {
    const wanted = languageFor(length)
    if (of.getLanguageId() === wanted) return
    monaco.editor.setModelLanguage(of, wanted)
    // With bracket colours Monaco reads the whole text before it draws, even if the language has no brackets.
    const enabled = wanted === LANGUAGE && state.inputs().options?.bracketPairColorization?.enabled !== false
    of.updateOptions({ bracketColorizationOptions: { enabled, independentColorPoolPerBracketType: false } })
  }
  const fill = (text: string) => {
    chooseLanguage(model, text.length)
    model.setValue(toModel(text))
  }
  const rangeOf = (start: number, end: number) =>
    monaco.Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end))

  const surface: Surface = {
    read: () => model.getValue(),
    length: () => model.getValueLength(),
    edit({ offset, removed, inserted }, after) {
      const length = model.getValueLength() + inserted.length - removed.length
      // An edit by Monaco would build every line of the text, and a second copy for undo.
      if (after !== undefined && Math.max(removed.length, inserted.length) > HUGE_LENGTH) return fill(after)
      chooseLanguage(model, length)
      model.pushStackElement()
      model.pushEditOperations(
        shown?.getSelections() ?? null,
        [{ range: rangeOf(offset, offset + removed.length), text: inserted }],
        () => null,
      )
      const version = model.getVersionId()
      const close = () => !model.isDisposed() && model.getVersionId() === version && model.pushStackElement()
      // Closing an undo step serializes it, which takes as long as a frame for a long text: the text is drawn first. Typing closes it too.
      requestAnimationFrame(() => setTimeout(close))
      return undefined
    },
    selection() {
      const selection = shown?.getSelection()
      if (!selection) return { start: 0, end: 0 }
      const [start, end] = [selection.getStartPosition(), selection.getEndPosition()]
      return { start: model.getOffsetAt(start), end: model.getOffsetAt(end) }
    },
    hasSeveralSelections: () => (shown?.getSelections()?.length ?? 0) > 1,
    select(start, end) {
      const range = rangeOf(start, end)
      shown?.setSelection(range)
      shown?.revealRangeInCenterIfOutsideViewport(range, monaco.editor.ScrollType.Immediate)
    },
    isComposing: () => isComposing,
    focus: () => (state.view().isDisabled ? undefined : shown?.focus()),
    find() {
      shown?.focus()
      void shown?.getAction('actions.find')?.run()
    },
    undo: () => void model.undo(),
    redo: () => void model.redo(),
    canUndo: () => model.canUndo(),
    canRedo: () => model.canRedo(),
  }

  model.onDidChangeContent(() => {
    if (state.surface() !== surface) return
    chooseLanguage(model, surface.length())
    state.changed()
  })

  return {
    monaco,
    model,
    surface,
    /** Sets the text to compare with, in a model that is disposed with the document. */
    original(text: string) {
      const saved =
        monaco.editor.getModel(originalUri) ?? monaco.editor.createModel('', LANGUAGE, originalUri)
      chooseLanguage(saved, text.length)
      saved.setValue(text)
      return saved
    },
    /** The editor that shows the model; `undefined` while hidden. */
    editor: () => shown,
    setEditor(next: editor.ICodeEditor | undefined) {
      shown = next
      isComposing = false
      // "Cannot edit in read-only editor" would cover the toolbar; a native field shows nothing either.
      next?.getContribution('editor.contrib.readOnlyMessageController')?.dispose()
      next?.onDidCompositionStart(() => (isComposing = true))
      next?.onDidCompositionEnd(() => (isComposing = false))
    },
    /** Takes text, selection, scroll position and focus over from the textarea; what was typed there becomes one undo step. */
    takeOver(area: HTMLTextAreaElement, initial: string) {
      const text = state.viewText()
      const isPreview = state.surface()?.isPreview?.() ?? false
      const typed = text.length > HUGE_LENGTH ? undefined : findEdit(toView(initial), text)
      fill(typed ? toView(initial) : text)
      if (typed) surface.edit(typed)
      state.attach(surface, 'full')
      state.show({ full: 'ready' })
      if (shown && !isPreview) showPlace(shown, monaco, area)
      if (area.matches(':focus')) shown?.focus()
    },
    dispose() {
      monaco.editor.getModel(originalUri)?.dispose()
      model.dispose()
      if (!freeUris.includes(uri)) freeUris.push(uri)
    },
  }
}
