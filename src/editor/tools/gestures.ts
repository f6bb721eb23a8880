// Shortcuts, dropped files, copies of everything and pastes that a textarea could not hold, wherever they happen in the editor.
import { LARGE_LENGTH } from '../constants.ts'
import type { EditorState } from '../editorState.ts'
import { toView } from '../lineEnds.ts'
import type { TextAction } from '../types.ts'
import type { ActionsSource } from './actions.ts'

/** With Shift and Alt, wherever the focus is in the editor. */
const ACTION_KEYS: Record<string, TextAction> = {
  KeyF: 'format',
  KeyC: 'compact',
  KeyS: 'sortKeys',
  KeyR: 'repair',
}

/** Listens on the whole editor before its parts do; gives the way to stop. */
export function listenToGestures(root: HTMLElement, state: EditorState, actions: ActionsSource): () => void {
  const listening = new AbortController()
  const options = { signal: listening.signal, capture: true }
  const take = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
  }
  const showDrop = (isDropping: boolean) => root.setAttribute('data-drop', String(isDropping))

  root.addEventListener(
    'keydown',
    (event) => {
      const isPlain = state.view().surface === 'plain'
      if (event.key === 'F8' && !event.ctrlKey && !event.metaKey) {
        take(event)
        void actions.ready().then((ready) => ready.goToNext(event.shiftKey ? -1 : 1))
        return
      }
      if (isPlain && (event.ctrlKey || event.metaKey) && event.key === 'f' && !state.view().isEmpty) {
        take(event)
        if (!state.view().isFinding) void actions.ready().then((ready) => ready.find())
        return
      }
      // The browser's own undo knows nothing of what an action or the parent wrote.
      if (isPlain && isOfText(event.target) && pressUndo(event, state)) return take(event)
      if (!event.shiftKey || !event.altKey || event.ctrlKey || event.metaKey) return
      const action = ACTION_KEYS[event.code]
      if (!action) return
      take(event)
      void actions.ready().then((ready) => ready.run(action))
    },
    options,
  )
  root.addEventListener(
    'dragover',
    (event) => {
      if (!event.dataTransfer?.types.includes('Files') || !state.inputs().canEdit) return
      take(event)
      showDrop(true)
    },
    options,
  )
  root.addEventListener('dragleave', () => showDrop(false), options)
  root.addEventListener(
    'drop',
    (event) => {
      showDrop(false)
      const file = event.dataTransfer?.files[0]
      if (!file || !state.inputs().canEdit) return
      take(event)
      void actions.ready().then((ready) => ready.open(file))
    },
    options,
  )
  root.addEventListener(
    'paste',
    (event) => {
      const version = state.version()
      setTimeout(() => {
        // What was said is about the text before.
        if (version !== state.version()) state.show({ verdict: 'unknown', isChecking: true })
      })
      const area = event.target
      if (!isOfText(area) || area.readOnly || state.view().surface === 'full') return
      pasteIntoArea(event, area, state)
    },
    options,
  )
  const copy = (event: ClipboardEvent) => copyWhole(event, state)
  root.addEventListener('copy', copy, options)
  root.addEventListener('cut', copy, options)
  return () => listening.abort()
}

const isOfText = (target: EventTarget | null): target is HTMLTextAreaElement =>
  target instanceof HTMLTextAreaElement && target.classList.contains('lkje-area')

/** Was it a key for undo or redo? Then it is done. */
function pressUndo(event: KeyboardEvent, state: EditorState): boolean {
  const key = event.key.toLowerCase()
  if (!(event.ctrlKey || event.metaKey) || event.altKey || (key !== 'z' && key !== 'y')) return false
  if (key === 'y' || event.shiftKey) state.surface()?.redo()
  else state.surface()?.undo()
  return true
}

/** Whoever selects everything gets the text as it is: neither textarea nor Monaco knows its line ends. */
function copyWhole(event: ClipboardEvent, state: EditorState): void {
  const target = event.target as Element
  const surface = state.surface()
  if (!surface || !target.matches('.lkje-area, .lkje-full [role=textbox], .lkje-full .inputarea')) return
  // The text that is compared with is not the editor's.
  if (target.closest('.original-in-monaco-diff-editor')) return
  const { start, end } = surface.selection()
  const text = state.text()
  if (start > 0 || end < surface.length() || text === state.viewText()) return
  event.preventDefault()
  event.stopPropagation()
  event.clipboardData?.setData('text/plain', text)
  if (event.type === 'cut' && state.inputs().canEdit) state.replace('', true)
}

/** A paste over everything brings its own line ends; a large one would freeze the textarea. */
function pasteIntoArea(event: ClipboardEvent, area: HTMLTextAreaElement, state: EditorState): void {
  const pasted = event.clipboardData?.getData('text/plain') ?? ''
  const surface = state.surface()
  const { selectionStart, selectionEnd } = area
  const isWhole = selectionStart === 0 && selectionEnd === area.value.length
  if (!surface || surface.isPreview?.()) return
  if (!(isWhole && pasted.includes('\r')) && pasted.length <= LARGE_LENGTH) return
  event.preventDefault()
  if (isWhole) state.replace(pasted, true)
  else {
    const text = surface.read()
    const removed = text.slice(selectionStart, selectionEnd)
    surface.edit({ offset: selectionStart, removed, inserted: toView(pasted) })
  }
}
