// The editor as a native form field: its data, reset, validity and a disabled fieldset.
import { useEffect } from 'react'
import { LARGE_LENGTH, CHECK_LIMIT_LENGTH, IN_PLACE_LENGTH } from '../limits.ts'
import type { EditorState, EditorView } from '../editorState.ts'
import { placeFaults, toJsonFault } from '../faultSentences.ts'
import { withTexts } from '../messages.ts'
import { scan } from '../scan.ts'
import { TOOL_MESSAGES } from './toolMessages.ts'

/** Submits the text byte for byte, whatever the textarea contains. */
export function useFormField(
  area: HTMLTextAreaElement,
  state: EditorState,
  { name, initial }: { readonly name?: string | undefined; readonly initial: string },
): void {
  useEffect(() => {
    const root = area.getRootNode()
    const listening = new AbortController()
    const options = { capture: true, signal: listening.signal }
    const addData = (event: Event) => {
      if (event.target !== area.form || !name || area.matches(':disabled')) return
      state.flush()
      ;(event as FormDataEvent).formData.set(name, state.text())
    }
    const reset = (event: Event) => {
      // After the browser's own reset, which knows neither line endings nor the full editor.
      if (event.target === area.form && !event.defaultPrevented)
        setTimeout(() => state.replace(initial, true))
    }
    /**
     * Before a form is submitted, this announces the last key of a large text and updates the validity. The browser reads the
     * validity before `submit`: so this also runs before a click, before Enter, and at pointerdown, which moves the focus.
     */
    const flush = (event: Event) => {
      if ('key' in event && event.key !== 'Enter') return
      const target = event.target as HTMLButtonElement
      if (!area.form || (target.form ?? target.closest('form') ?? target) !== area.form) return
      if (area.parentElement!.contains(target)) return
      setValidity(area, state, true)
      state.flush()
      if (event.type === 'click' && isPending(area)) pressed.set(area, target.closest('button,input'))
      // The browser reads the validity in the same task.
      setTimeout(() => pressed.delete(area))
      if (event.type !== 'submit' || area.form.noValidate) return
      const submitter = (event as SubmitEvent).submitter as HTMLButtonElement | null
      if (submitter?.formNoValidate) return
      if (isPending(area)) waiting.set(area, submitter)
      // Submitted by a script or by a button elsewhere: the browser has validated an older text.
      else if (area.reportValidity()) return
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    for (const kind of ['submit', 'click', 'pointerdown', 'keydown'])
      root.addEventListener(kind, flush, options)
    area.addEventListener(
      'invalid',
      (event) => {
        const submitter = pressed.get(area)
        if (submitter === undefined || !isPending(area)) return
        // Not invalid, only pending: the form is submitted after the check.
        event.preventDefault()
        waiting.set(area, submitter)
      },
      { signal: listening.signal },
    )
    root.addEventListener('formdata', addData, { signal: listening.signal })
    root.addEventListener('reset', reset, { signal: listening.signal })
    return () => listening.abort()
  }, [area, state, name, initial])
}

/** The version of the text that the field's validity reflects. */
const validatedVersion = new WeakMap<HTMLTextAreaElement, number>()
/** Fields whose check is pending: neither valid nor invalid. */
const pending = new WeakSet<HTMLTextAreaElement>()
/** The button that is being pressed, and the button whose form waits for the result. */
const pressed = new WeakMap<HTMLTextAreaElement, HTMLElement | null>()
const waiting = new WeakMap<HTMLTextAreaElement, HTMLElement | null>()

const isPending = (area: HTMLTextAreaElement) => pending.has(area) && area.validity.customError

/** Submits the waiting form or shows its faults: the browser validates all of its fields again. */
function submitWaiting(area: HTMLTextAreaElement): void {
  const submitter = waiting.get(area)
  if (submitter === undefined) return
  waiting.delete(area)
  area.form?.requestSubmit(submitter?.isConnected ? submitter : null)
}

/**
 * Sets the validity from the syntax; with a schema it is pending until the check. A longer text is only read when the form is
 * submitted (`isSubmit`); a large one is pending even then, because reading it here would block the page.
 */
function setValidity(area: HTMLTextAreaElement, state: EditorState, isSubmit = false): void {
  if (validatedVersion.get(area) === state.version()) return
  const { messages, schema } = state.inputs()
  const setPending = () => {
    pending.add(area)
    area.setCustomValidity(withTexts(TOOL_MESSAGES, messages).checking)
  }
  const length = state.surface()?.length() ?? 0
  if (length > (isSubmit ? LARGE_LENGTH : IN_PLACE_LENGTH)) {
    pending.delete(area)
    return isSubmit && length <= CHECK_LIMIT_LENGTH ? setPending() : area.setCustomValidity('')
  }
  validatedVersion.set(area, state.version())
  const text = state.text()
  const [fault] = placeFaults(text, scan(text, { max: 1 })).map((placed) =>
    toJsonFault(placed, messages?.faults),
  )
  if (fault) {
    pending.delete(area)
    // `required` covers an empty field.
    return area.setCustomValidity(
      fault.code === 'empty' ? '' : `${fault.line}:${fault.column} ${fault.message}`,
    )
  }
  return schema === undefined ? area.setCustomValidity('') : setPending()
}

/** Blocks the submit of broken JSON, with the first fault as the browser's message. */
export function useValidity(area: HTMLTextAreaElement, state: EditorState, view: EditorView): void {
  const { result, faults, isChecking } = view
  useEffect(() => {
    // On every change, synchronously: a short text is scanned faster than it is drawn.
    const stop = state.onText(() => {
      // Typing cancels the waiting submit.
      waiting.delete(area)
      setValidity(area, state)
    })
    setValidity(area, state)
    return stop
  }, [area, state])
  useEffect(() => {
    // During a check the view may show the previous result.
    if (result === 'unknown' || isChecking) return
    validatedVersion.set(area, state.version())
    pending.delete(area)
    const first = faults.find((fault) => fault.severity === 'error')
    area.setCustomValidity(
      result === 'invalid' && first ? `${first.line}:${first.column} ${first.message}` : '',
    )
    submitWaiting(area)
  }, [area, state, result, faults, isChecking])
}

/** Freezes the height below the text while the pointer is down: nothing may move away under a click. */
export function useStableHeight(root: HTMLElement): void {
  useEffect(() => {
    const hold = () => {
      const below = root.querySelector('.lkje-below')
      if (!below) return
      root.style.setProperty('--lkje-held', `${below.getBoundingClientRect().height}px`)
      root.dataset['held'] = 'true'
    }
    // The click follows the release.
    const release = () => setTimeout(() => delete root.dataset['held'])
    // On the window: the form field's listener on the document comes later, and its validation may change the height.
    const page = root.ownerDocument.defaultView!
    const listening = new AbortController()
    const options = { capture: true, signal: listening.signal }
    page.addEventListener('pointerdown', hold, options)
    for (const kind of ['pointerup', 'pointercancel']) page.addEventListener(kind, release, options)
    return () => listening.abort()
  }, [root])
}

/** Tracks whether the field is disabled, by its own prop or by a fieldset around it. */
export function useFieldset(area: HTMLTextAreaElement, state: EditorState, disabled: boolean): void {
  useEffect(() => {
    const read = () => state.show({ isDisabled: area.matches(':disabled') })
    read()
    const observer = new MutationObserver(read)
    for (let set = area.closest('fieldset'); set; set = set.parentElement?.closest('fieldset') ?? null) {
      observer.observe(set, { attributes: true, attributeFilter: ['disabled'] })
    }
    return () => observer.disconnect()
  }, [area, state, disabled])
}
