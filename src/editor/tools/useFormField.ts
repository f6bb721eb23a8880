// The editor as a native form field: its data, its reset, its validity and a fieldset that disables it.
import { useEffect } from 'react'
import { LARGE_LENGTH, CHECK_LIMIT_LENGTH, IN_PLACE_LENGTH } from '../limits.ts'
import type { EditorState, EditorView } from '../editorState.ts'
import { placeFaults, sayFault } from '../faultSentences.ts'
import { withTexts } from '../messages.ts'
import { scan } from '../scan.ts'
import { TOOL_MESSAGES } from './toolMessages.ts'

/** Gives a form the text byte for byte, whatever the textarea holds at the moment. */
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
      // After the browser has put the textarea back, which knows neither line ends nor the full editor.
      if (event.target === area.form && !event.defaultPrevented)
        setTimeout(() => state.replace(initial, true))
    }
    /**
     * Whoever hears that the form is sent has been told the last key of a large text, and the browser, which asks before, what
     * is wrong with it: before a click, before Enter, and when the pointer goes down, which takes the focus away.
     */
    const flush = (event: Event) => {
      if ('key' in event && event.key !== 'Enter') return
      const target = event.target as HTMLButtonElement
      if (!area.form || (target.form ?? target.closest('form') ?? target) !== area.form) return
      if (area.parentElement!.contains(target)) return
      setValidity(area, state, true)
      state.flush()
      if (event.type === 'click' && isOpen(area)) pressed.set(area, target.closest('button,input'))
      // The browser has asked by then, in the same task.
      setTimeout(() => pressed.delete(area))
      if (event.type !== 'submit' || area.form.noValidate) return
      const submitter = (event as SubmitEvent).submitter as HTMLButtonElement | null
      if (submitter?.formNoValidate) return
      if (isOpen(area)) waiting.set(area, submitter)
      // Sent by a script or by a button elsewhere: the browser has judged an older text.
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
        if (submitter === undefined || !isOpen(area)) return
        // It is not wrong, only not known yet: the form goes when it is.
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

/** The version of the text that the field's validity is about. */
const judged = new WeakMap<HTMLTextAreaElement, number>()
/** Fields whose check or schema has not spoken: neither right nor wrong. */
const open = new WeakSet<HTMLTextAreaElement>()
/** The button that is being pressed, and the one whose form waits for the verdict. */
const pressed = new WeakMap<HTMLTextAreaElement, HTMLElement | null>()
const waiting = new WeakMap<HTMLTextAreaElement, HTMLElement | null>()

const isOpen = (area: HTMLTextAreaElement) => open.has(area) && area.validity.customError

/** Sends the form that has waited, or shows why not; the browser asks all of its fields once more. */
function sendWaiting(area: HTMLTextAreaElement): void {
  const submitter = waiting.get(area)
  if (submitter === undefined) return
  waiting.delete(area)
  area.form?.requestSubmit(submitter?.isConnected ? submitter : null)
}

/**
 * Says at once whether the text is JSON, and of one with a schema that it is not known yet. A longer text is read when it
 * `isSent`, not with every key; of a large one nothing is known then either, and the form waits for the check: to read it here
 * would hold up the page.
 */
function setValidity(area: HTMLTextAreaElement, state: EditorState, isSent = false): void {
  if (judged.get(area) === state.version()) return
  const { messages, schema } = state.inputs()
  const setOpen = () => {
    open.add(area)
    area.setCustomValidity(withTexts(TOOL_MESSAGES, messages).checking)
  }
  const length = state.surface()?.length() ?? 0
  if (length > (isSent ? LARGE_LENGTH : IN_PLACE_LENGTH)) {
    open.delete(area)
    return isSent && length <= CHECK_LIMIT_LENGTH ? setOpen() : area.setCustomValidity('')
  }
  judged.set(area, state.version())
  const text = state.text()
  const [fault] = placeFaults(text, scan(text, { most: 1 })).map((placed) =>
    sayFault(placed, messages?.faults),
  )
  if (fault) {
    open.delete(area)
    // An empty field is the form's own affair.
    return area.setCustomValidity(
      fault.code === 'empty' ? '' : `${fault.line}:${fault.column} ${fault.message}`,
    )
  }
  return schema === undefined ? area.setCustomValidity('') : setOpen()
}

/** Keeps a form from being sent with broken JSON, with the first fault as the browser's message. */
export function useValidity(area: HTMLTextAreaElement, state: EditorState, view: EditorView): void {
  const { verdict, faults, isChecking } = view
  useEffect(() => {
    // Every change, before anybody can ask: a short text is judged in less time than it takes to draw it.
    const stop = state.onText(() => {
      // Whoever types on does not want the form to go any more.
      waiting.delete(area)
      setValidity(area, state)
    })
    setValidity(area, state)
    return stop
  }, [area, state])
  useEffect(() => {
    // While it is checked again, an old verdict may still be shown.
    if (verdict === 'unknown' || isChecking) return
    judged.set(area, state.version())
    open.delete(area)
    const first = faults.find((fault) => fault.severity === 'error')
    area.setCustomValidity(
      verdict === 'invalid' && first ? `${first.line}:${first.column} ${first.message}` : '',
    )
    sendWaiting(area)
  }, [area, state, verdict, faults, isChecking])
}

/** What stands below the text keeps its height while something is being pressed: nothing may slip away under a click. */
export function useStill(root: HTMLElement): void {
  useEffect(() => {
    const hold = () => {
      const below = root.querySelector('.lkje-below')
      if (!below) return
      root.style.setProperty('--lkje-held', `${below.getBoundingClientRect().height}px`)
      root.dataset['held'] = 'true'
    }
    // The click comes right behind the release.
    const release = () => setTimeout(() => delete root.dataset['held'])
    // On the window: the form field hears the pointer on the document, and judges the text at once.
    const page = root.ownerDocument.defaultView!
    const listening = new AbortController()
    const options = { capture: true, signal: listening.signal }
    page.addEventListener('pointerdown', hold, options)
    for (const kind of ['pointerup', 'pointercancel']) page.addEventListener(kind, release, options)
    return () => listening.abort()
  }, [root])
}

/** Tells whether the field is disabled, by its own property or by a fieldset around it. */
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
