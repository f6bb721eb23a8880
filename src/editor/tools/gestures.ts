// Shortcuts, dropped files, copies of everything and pastes that a textarea could not hold, wherever they happen in the editor.
import { LARGE_LENGTH } from '../constants.ts'
import type { EditorState } from '../editorState.ts'
import { toView } from '../lineEnds.ts'
import { withTexts } from '../messages.ts'
import type { TextAction } from '../types.ts'
import type { ActionsSource } from './actions.ts'
import { TOOL_MESSAGES } from './toolMessages.ts'

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
      if (event.key === 'F8' && !event.ctrlKey && !event.metaKey) {
        take(event)
        void actions.ready().then((ready) => ready.goToNext(event.shiftKey ? -1 : 1))
        return
      }
      if (!event.shiftKey || !event.altKey || event.ctrlKey || event.metaKey) return
      // Monaco's search has fields of its own; and with these keys a Mac writes letters such as Ï.
      if ((event.target as Element).closest('input, .find-widget')) return
      if (event.code !== `Key${event.key.toUpperCase()}`) return
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
      const files = event.dataTransfer?.files
      if (!files?.[0] || !state.inputs().canEdit) return
      take(event)
      const { oneFile } = withTexts(TOOL_MESSAGES, state.inputs().messages)
      if (files.length > 1) return state.show({ note: oneFile })
      void actions.ready().then((ready) => ready.open(files[0]!))
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
  (target as Element).classList.contains('lkje-area')

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
