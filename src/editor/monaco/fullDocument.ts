// The text in Monaco: the model outlives its editor while React hides it, so that undo is still there afterwards.
import type { editor, Uri } from 'monaco-editor/editor'
import { HUGE_LENGTH, LARGE_LENGTH } from '../constants.ts'
import { type Edit, makeEdit, moveOffset } from '../edits.ts'
import type { EditorState, Surface } from '../editorState.ts'
import { countBreaks } from '../lineEnds.ts'
import { HUGE_LANGUAGE, LANGUAGE, LONG_LANGUAGE, type Monaco } from './language.ts'
import { createModelChain, type ModelChain } from './modelChain.ts'

export type FullDocument = ReturnType<typeof createFullDocument>

/** Longer texts have no bracket matching. */
const BRACKETS_LENGTH = 100_000

/** More steps than this are not replayed: the text is carried over, its undo is not. */
const MOST_STEPS = 2_000

/** The addresses of documents that are gone are used again: Monaco keeps a little for each that ever had a fault, for ever. */
const free: Uri[] = []

function takeAddress(monaco: Monaco): Uri {
  const name = () => crypto.getRandomValues(new Uint32Array(2)).join('')
  return free.pop() ?? monaco.Uri.parse(`inmemory://latchkey/${name()}.json`)
}

/** Nothing may stand at this address any more. */
function giveAddressBack(address: Uri): void {
  if (!free.includes(address)) free.push(address)
}

const languageFor = (length: number) =>
  length > HUGE_LENGTH ? HUGE_LANGUAGE : length > BRACKETS_LENGTH ? LONG_LANGUAGE : LANGUAGE

/** Gives what each state of the textarea's history is called here. */
function fill(
  chain: ModelChain,
  surface: Surface,
  text: string,
  plain: Surface | undefined,
): (readonly [number, number])[] {
  const steps = plain?.history?.done ?? []
  if (steps.length === 0 || steps.length > MOST_STEPS) {
    chain.fill(text, languageFor(text.length))
    return []
  }
  const first = steps.reduceRight(
    (later, step) =>
      later.slice(0, step.offset) + step.removed + later.slice(step.offset + step.inserted.length),
    text,
  )
  chain.fill(first, languageFor(first.length))
  const names: [number, number][] = [[0, chain.stamp()]]
  for (const [index, step] of steps.entries()) {
    surface.edit(step)
    names.push([index + 1, chain.stamp()])
  }
  return names
}

function readSelection(shown: editor.ICodeEditor | undefined, model: editor.ITextModel) {
  const selection = shown?.getSelection()
  if (!selection) return { start: 0, end: 0 }
  const [start, end] = [selection.getStartPosition(), selection.getEndPosition()]
  return { start: model.getOffsetAt(start), end: model.getOffsetAt(end) }
}

/** What is selected and seen in the textarea. */
function readPlaceOf(area: HTMLTextAreaElement, plain: Surface | undefined) {
  const { selectionStart, selectionEnd, scrollTop, scrollLeft, selectionDirection } = area
  const hasFocus = (area.getRootNode() as Document | ShadowRoot).activeElement === area
  const isPreview = plain?.isPreview?.() ?? false
  const isBackward = selectionDirection === 'backward'
  return { selectionStart, selectionEnd, scrollTop, scrollLeft, isBackward, hasFocus, isPreview }
}

/** Shows the same place in the full editor. */
function showPlace(shown: editor.ICodeEditor, monaco: Monaco, was: ReturnType<typeof readPlaceOf>): void {
  const { scrollTop, scrollLeft } = was
  const model = shown.getModel()
  if (model && !was.isPreview) {
    const start = model.getPositionAt(was.selectionStart)
    const end = model.getPositionAt(was.selectionEnd)
    const [anchor, head] = was.isBackward ? [end, start] : [start, end]
    shown.setSelection(new monaco.Selection(anchor.lineNumber, anchor.column, head.lineNumber, head.column))
  }
  shown.setScrollPosition({ scrollTop, scrollLeft }, monaco.editor.ScrollType.Immediate)
  if (was.hasFocus) shown.focus()
}

function putOriginal(monaco: Monaco, uri: Uri, text: string): editor.ITextModel {
  const model = monaco.editor.getModel(uri) ?? monaco.editor.createModel('', LANGUAGE, uri)
  // As of the text itself: colours and brackets of megabytes would hold up the page.
  monaco.editor.setModelLanguage(model, languageFor(text.length))
  model.setValue(text)
  return model
}

/** Takes the line ends along with what was typed, or back with what was undone. */
function moveLineEnds(state: EditorState, event: editor.IModelContentChangedEvent, stamp: number): void {
  if (event.isUndoing || event.isRedoing) return state.lineEnds.restore(stamp)
  for (const { range, text } of event.changes) {
    const removed = range.endLineNumber - range.startLineNumber
    state.lineEnds.change(range.startLineNumber - 1, removed, countBreaks(text), stamp)
  }
}

export function createFullDocument(monaco: Monaco, state: EditorState) {
  const uri = takeAddress(monaco)
  const originalUri = uri.with({ fragment: 'original' })
  let shown: editor.ICodeEditor | undefined

  /** Before the text grows, so that nothing expensive is begun on it. */
  const chooseLanguage = (length: number) => {
    const model = chain.model()
    const wanted = languageFor(length)
    if (model.getLanguageId() !== wanted) monaco.editor.setModelLanguage(model, wanted)
  }
  const rangeOf = (start: number, end: number) => {
    const model = chain.model()
    return monaco.Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end))
  }

  const begin = (edit: Edit, after: string | undefined) => {
    const { start, end } = surface.selection()
    const place = shown && { scrollTop: shown.getScrollTop(), scrollLeft: shown.getScrollLeft() }
    const line = chain.model().getPositionAt(edit.offset).lineNumber - 1
    const text = after ?? makeEdit(surface.read(), edit)
    chain.begin(text, languageFor(text.length))
    if (place) {
      shown?.setSelection(rangeOf(moveOffset(start, edit), moveOffset(end, edit)))
      shown?.setScrollPosition(place, monaco.editor.ScrollType.Immediate)
    }
    if (state.surface() !== surface) return
    if (after === undefined)
      state.lineEnds.change(line, countBreaks(edit.removed), countBreaks(edit.inserted), chain.stamp())
    state.changed()
  }

  const surface: Surface = {
    read: () => chain.model().getValue(),
    length: () => chain.model().getValueLength(),
    *pieces() {
      const snapshot = chain.model().createSnapshot()
      for (let piece = snapshot.read(); piece !== null; piece = snapshot.read()) yield piece
    },
    edit(edit, after) {
      const { offset, removed, inserted } = edit
      if (Math.max(removed.length, inserted.length) > LARGE_LENGTH) {
        begin(edit, after)
        return
      }
      const model = chain.model()
      chooseLanguage(model.getValueLength() + inserted.length - removed.length)
      model.pushStackElement()
      model.pushEditOperations(
        shown?.getSelections() ?? null,
        [{ range: rangeOf(offset, offset + removed.length), text: inserted }],
        () => null,
      )
      model.pushStackElement()
    },
    selection: () => readSelection(shown, chain.model()),
    placeOf(offset) {
      const { lineNumber, column } = chain.model().getPositionAt(offset)
      return { line: lineNumber, column }
    },
    select(start, end) {
      const range = rangeOf(start, end)
      shown?.setSelection(range)
      shown?.revealRangeInCenterIfOutsideViewport(range, monaco.editor.ScrollType.Immediate)
    },
    focus: () => shown?.focus(),
    find() {
      shown?.focus()
      void shown?.getAction('actions.find')?.run()
    },
    undo: () => chain.undo(),
    redo: () => chain.redo(),
    canUndo: () => chain.canUndo(),
    canRedo: () => chain.canRedo(),
    stamp: () => chain.stamp(),
  }

  const chain = createModelChain(monaco, uri, LANGUAGE, {
    onChange(event) {
      if (state.surface() !== surface) return
      chooseLanguage(surface.length())
      moveLineEnds(state, event, surface.stamp())
      state.changed()
    },
    onTravel() {
      if (state.surface() !== surface) return
      state.lineEnds.restore(surface.stamp())
      state.changed()
    },
  })

  return {
    monaco,
    /** The model now; a large change begins a new one. */
    model: () => chain.model(),
    surface,
    /** Puts the text to compare with into its model, which goes with the document. */
    original: (text: string) => putOriginal(monaco, originalUri, text),
    /** The editor that shows the model now; none while hidden. */
    editor: () => shown,
    setEditor(next: editor.ICodeEditor | undefined) {
      shown = next
    },
    /** Takes text, history, selection, scroll position and focus over from the textarea. */
    takeOver(area: HTMLTextAreaElement) {
      const plain = state.surface()
      const was = readPlaceOf(area, plain)
      const names = fill(chain, surface, state.viewText(), plain)
      state.attach(surface, 'full', names)
      state.show({ full: 'ready' })
      if (shown) showPlace(shown, monaco, was)
    },
    dispose() {
      monaco.editor.getModel(originalUri)?.dispose()
      chain.dispose()
      giveAddressBack(uri)
    },
  }
}
