// Handles shortcuts, dropped files and large pastes anywhere in the editor.
import { LARGE_LENGTH } from '../limits.ts'
import type { EditorState } from '../editorState.ts'
import { toView } from '../lineEnds.ts'
import { withTexts } from '../messages.ts'
import type { TextAction } from '../types.ts'
import type { ActionsSource } from './actions.ts'
import { OWN_ESCAPE } from './partProps.ts'
import { TOOL_MESSAGES } from './toolMessages.ts'

/** Keys that run an action, with Shift and Alt. */
const ACTION_KEYS: Record<string, TextAction> = {
  KeyF: 'format',
  KeyC: 'compact',
  KeyS: 'sortKeys',
  KeyR: 'repair',
}

/** Listens on the whole editor before its parts do; returns a function that stops it. */
export function listenToGestures(root: HTMLElement, state: EditorState, actions: ActionsSource): () => void {
  const listening = new AbortController()
  const options = { signal: listening.signal, capture: true }
  const consume = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
  }
  const showDrop = (isDropping: boolean) => root.setAttribute('data-drop', String(isDropping))

  root.addEventListener(
    'keydown',
    (event) => {
      if (event.key === 'F8' && !event.ctrlKey && !event.metaKey) {
        consume(event)
        void actions.ready().then((ready) => ready.goToNext(event.shiftKey ? -1 : 1))
        return
      }
      if (!event.shiftKey || !event.altKey || event.ctrlKey || event.metaKey) return
      // Not in the fields of Monaco's search, and not where a Mac types letters such as Ï with these keys.
      if ((event.target as Element).closest('input, .find-widget')) return
      const isShortcut = event.code === `Key${event.key.toUpperCase()}`
      // Nor are they Monaco's shortcuts: a Mac types Ą with Option+Shift+A.
      if (!isShortcut && event.key.length === 1 && navigator.userAgent.includes('Mac'))
        event.stopPropagation()
      const action = isShortcut ? ACTION_KEYS[event.code] : undefined
      if (!action) return
      consume(event)
      void actions.ready().then((ready) => ready.run(action))
    },
    options,
  )
  // Monaco's fields use Escape themselves; in the text, `leaveByTab` releases it to the page.
  const claimEscape = ({ target }: FocusEvent) => {
    if ((target as Element).closest('.lkje-full')) (target as Element).setAttribute(OWN_ESCAPE, 'true')
  }
  root.addEventListener('focusin', claimEscape, options)
  // Radix receives the key before the editor and keeps its dialog open if the default is prevented.
  const ownEscape = (event: KeyboardEvent) => {
    const field = root.querySelector(`:focus[${OWN_ESCAPE}=true]`)
    if (event.key === 'Escape' && event.target === field) event.preventDefault()
  }
  root.ownerDocument.defaultView!.addEventListener('keydown', ownEscape, options)
  // MUI closes on any Escape that reaches it.
  const keepEscape = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && event.defaultPrevented) event.stopPropagation()
  }
  root.addEventListener('keydown', keepEscape, { signal: listening.signal })
  root.addEventListener(
    'dragover',
    (event) => {
      if (!event.dataTransfer?.types.includes('Files') || !state.inputs().canEdit) return
      consume(event)
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
      consume(event)
      const { oneFile } = withTexts(TOOL_MESSAGES, state.inputs().messages)
      if (files.length > 1) return state.show({ note: oneFile })
      void actions.ready().then((ready) => ready.open(files[0]!))
    },
    options,
  )
  root.addEventListener('paste', (event) => takePaste(event, state), options)
  return () => listening.abort()
}

/** Fields of the text, not of Monaco's search or of the text to compare with. */
const isOfText = (target: EventTarget | null) =>
  (target as Element).matches('.lkje-area, .lkje-full [role=textbox], .lkje-full .inputarea') &&
  !(target as Element).closest('.original-in-monaco-diff-editor')

/** Puts a large paste straight into Monaco's model: it would freeze the textarea. */
function takePaste(event: ClipboardEvent, state: EditorState): void {
  const surface = state.surface()
  if (!surface || surface.isPreview?.() || surface.hasSeveralSelections?.()) return
  if (!state.inputs().canEdit || !isOfText(event.target)) return
  // A paste is not typing: check after the next paint, without a pause.
  requestAnimationFrame(() => setTimeout(state.flush))
  const given = event.clipboardData?.getData('text/plain') ?? ''
  if (given.length <= LARGE_LENGTH) return
  // Clipboard text lies outside the engine's heap, where Monaco reads ten times slower: joining copies it.
  const pasted = [given.slice(0, 1), given.slice(1)].join('')
  const { start, end } = surface.selection()
  event.preventDefault()
  event.stopPropagation()
  const after = surface.length() - end
  if (start === 0 && after === 0) state.replace(pasted, true)
  else {
    const removed = state.viewText().slice(start, end)
    surface.edit({ offset: start, removed, inserted: toView(pasted) })
  }
  const caret = surface.length() - after
  surface.select(caret, caret)
}
