// The textarea as a surface: there at the first paint, and for good if the full editor cannot load. The browser undoes what is typed.
import { LARGE_LENGTH } from './limits.ts'
import { findEdit, makeEdit, moveOffset } from './edits.ts'
import type { EditorState, Surface } from './editorState.ts'

const PREVIEW_LENGTH = 50_000
/** How far undo goes back over changes by a program. */
const MAX_STEPS = 40

/** The beginning of a large text, for the textarea, which the whole text would freeze. */
export const beginningOf = (text: string): string =>
  text.length > LARGE_LENGTH ? text.slice(0, PREVIEW_LENGTH) : text

/** Shows the text in the textarea; returns a function that stops listening to it. */
export function showInArea(area: HTMLTextAreaElement, state: EditorState): () => void {
  const page = area.ownerDocument
  let text = state.viewText()
  let isComposing = false
  let isPreview = false

  const put = () => {
    const isWaiting = state.inputs().full !== false && state.view().full !== 'failed'
    const shown = isWaiting ? beginningOf(text) : text
    isPreview = shown !== text
    if (area.value !== shown) area.value = shown
  }
  /** The texts before and after each change by a program, at which the browser clears its undo history. */
  let steps = [text]
  let at = 0

  const saveStep = () => {
    steps = steps.slice(0, at + 1).slice(-MAX_STEPS)
    if (steps.at(-1) !== text) steps.push(text)
    at = steps.length - 1
  }
  const goTo = (next: number) => {
    const edit = findEdit(text, steps[next] ?? text)
    if (!edit || area.readOnly || area.disabled) return
    at = next
    text = makeEdit(text, edit)
    put()
    const end = edit.offset + edit.inserted.length
    area.setSelectionRange(end, end)
    state.changed()
  }
  const travel = (name: 'undo' | 'redo') => {
    const before = text
    const focused = page.activeElement as HTMLElement | null
    if (area.closest('.lkje')!.contains(focused)) {
      area.focus({ preventScroll: true })
      // oxlint-disable-next-line typescript/no-deprecated -- the browser gives its own steps no other name
      page.execCommand?.(name)
      if (focused !== area) focused?.focus({ preventScroll: true })
    }
    if (text !== before) return
    // The browser had no step.
    if (name === 'redo') goTo(at + 1)
    else goTo(text === steps[at] ? at - 1 : at)
  }

  const surface: Surface = {
    isComposing: () => isComposing,
    isPreview: () => isPreview,
    refresh: put,
    read: () => text,
    length: () => text.length,
    edit(edit) {
      const { selectionStart, selectionEnd } = area
      saveStep()
      text = makeEdit(text, edit)
      saveStep()
      put()
      area.setSelectionRange(moveOffset(selectionStart, edit), moveOffset(selectionEnd, edit))
      state.changed()
    },
    selection: () => ({ start: area.selectionStart, end: area.selectionEnd }),
    select: (start, end) => area.setSelectionRange(start, end),
    area,
    focus: () => area.focus(),
    undo: () => travel('undo'),
    redo: () => travel('redo'),
    canUndo: () => text !== steps[0],
    canRedo: () => true,
  }

  const listening = new AbortController()
  const { signal } = listening
  const takeInput = () => {
    const edit = isPreview || signal.aborted ? undefined : findEdit(text, area.value)
    if (!edit) return
    text = makeEdit(text, edit)
    state.changed()
  }
  // Test tools set the value and dispatch only `change`, which React also listens to.
  for (const kind of ['input', 'change']) area.addEventListener(kind, takeInput, { signal })
  area.addEventListener(
    'keydown',
    (event) => {
      const key = event.key.toLowerCase()
      if (!(event.ctrlKey || event.metaKey) || event.altKey || (key !== 'z' && key !== 'y')) return
      event.preventDefault()
      travel(key === 'y' || event.shiftKey ? 'redo' : 'undo')
    },
    { signal },
  )
  area.addEventListener('compositionstart', () => (isComposing = true), { signal })
  area.addEventListener('compositionend', () => (isComposing = false), { signal })
  state.attach(surface, 'plain')
  // Not after Monaco, which leaves a placeholder character in the field.
  if (state.version() === 0 && state.view().full === 'waiting') {
    // Text typed before hydration becomes the text.
    if (state.typed !== undefined) area.value = state.typed
    if (area.value !== area.defaultValue) takeInput()
  }
  put()
  return () => listening.abort()
}
