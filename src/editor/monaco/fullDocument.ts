// The text in Monaco: the model outlives its editor while React hides it, so that undo is still there afterwards.
import type { editor, Uri } from 'monaco-editor/editor'
import { HUGE_LENGTH, LARGE_LENGTH } from '../constants.ts'
import { type Edit, makeEdit, moveOffset } from '../edits.ts'
import type { EditorState, Surface } from '../editorState.ts'
import { countBreaks } from '../lineEnds.ts'
import type { PlainSurface } from '../plainSurface.ts'
import { giveAddressBack, takeAddress } from './addresses.ts'
import { HUGE_LANGUAGE, LANGUAGE, LONG_LANGUAGE } from './language.ts'
import { createModelChain } from './modelChain.ts'
import type { Monaco } from './monacoModule.ts'

export interface FullDocument {
  readonly monaco: Monaco
  /** The model now; a large change begins a new one. */
  model(): editor.ITextModel
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

/** More steps than this are not replayed: the text is carried over, its undo is not. */
const MOST_STEPS = 2_000

const languageFor = (length: number) =>
  length > HUGE_LENGTH ? HUGE_LANGUAGE : length > BRACKETS_LENGTH ? LONG_LANGUAGE : LANGUAGE

export function createFullDocument(monaco: Monaco, state: EditorState): FullDocument {
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
    selection() {
      const selection = shown?.getSelection()
      if (!selection) return { start: 0, end: 0 }
      const model = chain.model()
      return {
        start: model.getOffsetAt(selection.getStartPosition()),
        end: model.getOffsetAt(selection.getEndPosition()),
      }
    },
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
      const stamp = surface.stamp()
      if (event.isUndoing || event.isRedoing) state.lineEnds.restore(stamp)
      else {
        for (const { range, text } of event.changes) {
          const removed = range.endLineNumber - range.startLineNumber
          state.lineEnds.change(range.startLineNumber - 1, removed, countBreaks(text), stamp)
        }
      }
      state.changed()
    },
    onTravel() {
      if (state.surface() !== surface) return
      state.lineEnds.restore(surface.stamp())
      state.changed()
    },
  })

  /** Gives what each state of the textarea's history is called here. */
  const fill = (plain: PlainSurface | undefined): (readonly [number, number])[] => {
    const text = state.viewText()
    const steps = plain?.history.done ?? []
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

  return {
    monaco,
    model: () => chain.model(),
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
      const names = fill(plain)
      state.attach(surface, 'full', names)
      state.show({ full: 'ready' })
      if (!shown) return
      if (!wasPreview) {
        const model = chain.model()
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
      monaco.editor.getModel(originalUri)?.dispose()
      chain.dispose()
      giveAddressBack(uri)
    },
  }
}
