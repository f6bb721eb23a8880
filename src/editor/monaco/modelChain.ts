// The Monaco models of one text, one behind the other: where much is replaced a new model begins, and undo goes back to the one before.
import type { editor, Uri } from 'monaco-editor/editor'
import { HUGE_LENGTH, LARGE_LENGTH } from '../constants.ts'
import { KEPT_MODELS_LENGTH } from '../limits.ts'
import type { Monaco } from './language.ts'

export type ModelChain = ReturnType<typeof createModelChain>

interface Link {
  readonly model: editor.ITextModel
  /** What tells the model's states from those of all others. */
  readonly firstStamp: number
  /** The state in which the next model was begun: redo goes on there. */
  leftAt: number
  /** Where people were when they left it. */
  readonly places: WeakMap<editor.ICodeEditor, editor.ICodeEditorViewState>
}

/** More states than any model will have. */
const STAMPS_OF_A_MODEL = 1e9

/** Monaco swallows one byte order mark when a model is filled; the text's own comes behind it. */
const toModel = (text: string) => (text.startsWith('\ufeff') ? `\ufeff${text}` : text)

/** So long are the pieces that Monaco reads a large text in; shorter ones the engine would first put among its short-lived things. */
const PIECE_LENGTH = 1_048_576

/**
 * What the clipboard gives lies outside of the engine's memory, and reading that character by character, as Monaco does, takes
 * ten times as long. Joining makes pieces of the engine's own.
 */
function inPieces(text: string): editor.ITextSnapshot {
  let at = 0
  return {
    read() {
      if (at >= text.length) return null
      const piece = [text.slice(at, at + 1), text.slice(at + 1, at + PIECE_LENGTH)].join('')
      at += PIECE_LENGTH
      return piece
    },
  }
}

/**
 * A model of a large text. Monaco takes pieces here as in `setValue`, though its types do not say so; and it spares itself
 * work on every single line from 20 MB on, which is to begin where colours and folding end here. A Monaco that knows neither
 * gives the same model, only later.
 */
function createLargeModel(
  monaco: Monaco,
  text: string,
  language: string,
  options: { readonly uri: Uri; readonly like: editor.ITextModel },
): editor.ITextModel {
  const limits = options.like.constructor as { LARGE_FILE_SIZE_THRESHOLD?: unknown }
  const usual = limits.LARGE_FILE_SIZE_THRESHOLD
  if (typeof usual === 'number') limits.LARGE_FILE_SIZE_THRESHOLD = Math.min(usual, HUGE_LENGTH)
  try {
    const model = monaco.editor.createModel(inPieces(text) as unknown as string, language, options.uri)
    if (model.getValueLength() === text.length - (text.startsWith('\ufeff') ? 1 : 0)) return model
    model.dispose()
  } catch {
    monaco.editor.getModel(options.uri)?.dispose()
  } finally {
    if (typeof usual === 'number') limits.LARGE_FILE_SIZE_THRESHOLD = usual
  }
  return monaco.editor.createModel(text, language, options.uri)
}

/** Monaco neither wraps nor folds such a model, though its types do not say how to ask. */
const sparesItself = (model: editor.ITextModel) =>
  (model as { isTooLargeForTokenization?: () => boolean }).isTooLargeForTokenization?.() ?? false

const shownPairs = new WeakMap<editor.IDiffEditor, editor.IDiffEditorViewModel>()

/**
 * Shows two models in a comparison, or none. What Monaco itself makes for a pair it never lets go: it would go on finding
 * differences for as long as the models live, and throw when they are emptied in the middle of it.
 */
export function showPair(shown: editor.IDiffEditor, pair: editor.IDiffEditorModel | undefined): void {
  const last = shownPairs.get(shown)
  const next = pair && shown.createViewModel(pair)
  shown.setModel(next ?? null)
  if (next) shownPairs.set(shown, next)
  else shownPairs.delete(shown)
  last?.dispose()
}

/** Shows another model wherever `from` is shown; focus and editors stay. */
function showInstead(monaco: Monaco, from: Link, to: Link): void {
  const editors = monaco.editor.getEditors().filter((shown) => shown.getModel() === from.model)
  // React says so too, but only after the text has been laid out; a model that spares itself knows neither.
  if (to.model.getValueLength() > HUGE_LENGTH && !sparesItself(to.model))
    for (const shown of editors) shown.updateOptions({ wordWrap: 'off', folding: false })
  for (const compared of monaco.editor.getDiffEditors()) {
    const pair = compared.getModel()
    if (pair?.modified === from.model) showPair(compared, { original: pair.original, modified: to.model })
  }
  for (const shown of editors) {
    if (shown.getModel() !== from.model) continue
    const place = shown.saveViewState()
    if (place) from.places.set(shown, place)
    shown.setModel(to.model)
    const known = to.places.get(shown)
    if (known) shown.restoreViewState(known)
  }
}

export interface ModelListeners {
  readonly onChange: (event: editor.IModelContentChangedEvent) => void
  /** Undo or redo has gone to another model. */
  readonly onTravel: () => void
}

/** Monaco's own edit of a large text builds every line of it and keeps a second copy for undo; a new model does neither. */
export function createModelChain(
  monaco: Monaco,
  uri: Uri,
  language: string,
  { onChange, onTravel }: ModelListeners,
) {
  let count = 0
  const links: Link[] = []
  const createLink = (text: string, spoken: string): Link => {
    const own = count === 0 ? uri : uri.with({ query: String(count) })
    const like = links[0]?.model
    const model =
      like && text.length > LARGE_LENGTH
        ? createLargeModel(monaco, toModel(text), spoken, { uri: own, like })
        : monaco.editor.createModel(toModel(text), spoken, own)
    model.setEOL(monaco.editor.EndOfLineSequence.LF)
    model.onDidChangeContent((event) => {
      // What was undone is gone as soon as something else is done.
      if (!event.isUndoing && !event.isRedoing) dropLater()
      onChange(event)
    })
    return { model, firstStamp: STAMPS_OF_A_MODEL * count++, leftAt: -1, places: new WeakMap() }
  }
  let at = 0
  const now = () => links[at]!
  const dropLater = () => {
    for (const { model } of links.splice(at + 1)) model.dispose()
    now().leftAt = -1
  }
  const isAtNext = () => at < links.length - 1 && now().model.getAlternativeVersionId() === now().leftAt
  const travel = (to: number) => {
    const from = now()
    at = to
    showInstead(monaco, from, now())
    onTravel()
  }

  links.push(createLink('', language))

  const chain = {
    /** The model of the text as it is now. */
    model: () => now().model,
    /** The text it all begins with: there is no way back behind it. */
    fill(text: string, spoken: string) {
      if (text.length <= LARGE_LENGTH) {
        monaco.editor.setModelLanguage(now().model, spoken)
        now().model.setValue(toModel(text))
        return
      }
      chain.begin(text, spoken)
      for (const { model } of links.splice(0, at)) model.dispose()
      at = 0
    },
    /** Puts a new model with this text behind the one of now, in every editor that shows it. */
    begin(text: string, spoken: string) {
      dropLater()
      const from = now()
      const next = createLink(text, spoken)
      from.leftAt = from.model.getAlternativeVersionId()
      links.push(next)
      at++
      showInstead(monaco, from, next)
      let length = links.slice(0, -1).reduce((sum, link) => sum + link.model.getValueLength(), 0)
      while (length > KEPT_MODELS_LENGTH && at > 1) {
        const [oldest] = links.splice(0, 1)
        length -= oldest!.model.getValueLength()
        oldest!.model.dispose()
        at--
      }
    },
    undo() {
      const { model } = now()
      if (model.canUndo()) void model.undo()
      else if (at > 0) travel(at - 1)
    },
    redo() {
      if (isAtNext()) travel(at + 1)
      else void now().model.redo()
    },
    canUndo: () => at > 0 || now().model.canUndo(),
    canRedo: () => isAtNext() || now().model.canRedo(),
    /** Names the state of the text; undo comes back to the same name. */
    stamp: () => now().firstStamp + now().model.getAlternativeVersionId(),
    dispose() {
      for (const { model } of links) model.dispose()
    },
  }
  return chain
}
