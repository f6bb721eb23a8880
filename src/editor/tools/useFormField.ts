// The editor as a native form field: its data, its reset, its validity and a fieldset that disables it.
import { useEffect } from 'react'
import type { EditorState } from '../editorState.ts'
import type { EditorView } from '../editorView.ts'
import { placeFaults, sayFault } from '../faultSentences.ts'
import { withTexts } from '../messages.ts'
import { scan } from '../scan.ts'
import { CHECK_LIMIT_LENGTH, IN_PLACE_LENGTH } from '../limits.ts'
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
      if (event instanceof KeyboardEvent && event.key !== 'Enter') return
      const target = event.target as HTMLButtonElement | HTMLFormElement
      if (!area.form || (target !== area.form && target.closest('form') !== area.form)) return
      if (area.parentElement!.contains(target)) return
      setValidity(area, state, CHECK_LIMIT_LENGTH)
      state.flush()
      if (event.type !== 'submit' || area.form.noValidate) return
      // Sent by a script or by a button elsewhere: the browser has judged an older text.
      const submitter = (event as SubmitEvent).submitter as HTMLButtonElement | null
      if (submitter?.formNoValidate || area.reportValidity()) return
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    for (const kind of ['submit', 'click', 'pointerdown', 'keydown'])
      root.addEventListener(kind, flush, options)
    root.addEventListener('formdata', addData, { signal: listening.signal })
    root.addEventListener('reset', reset, { signal: listening.signal })
    return () => listening.abort()
  }, [area, state, name, initial])
}

/** The version of the text that the field's validity is about. */
const judged = new WeakMap<HTMLTextAreaElement, number>()

/** Says at once whether the text is JSON, without waiting for the check; of a longer text than `most` nothing, until it is sent. */
function setValidity(area: HTMLTextAreaElement, state: EditorState, most: number): void {
  if (judged.get(area) === state.version()) return
  if ((state.surface()?.length() ?? 0) > most) return area.setCustomValidity('')
  judged.set(area, state.version())
  const { messages } = state.inputs()
  const text = state.text()
  const [fault] = placeFaults(text, scan(text, 1)).map((placed) => sayFault(placed, messages?.faults))
  // What the schema will say is not known yet.
  const isOpen = state.abilities().checkSchema !== undefined
  const unknown = isOpen ? withTexts(TOOL_MESSAGES, messages).checking : ''
  area.setCustomValidity(
    fault && fault.code !== 'empty' ? `${fault.line}:${fault.column} ${fault.message}` : unknown,
  )
}

/** Keeps a form from being sent with broken JSON, with the first fault as the browser's message. */
export function useValidity(area: HTMLTextAreaElement, state: EditorState, view: EditorView): void {
  const { verdict, faults, isChecking } = view
  useEffect(() => {
    // Every change, before anybody can ask: a short text is judged in less time than it takes to draw it.
    state.onText(() => setValidity(area, state, IN_PLACE_LENGTH))
    return () => state.onText(undefined)
  }, [area, state])
  useEffect(() => {
    if (verdict === 'unknown') return
    judged.set(area, state.version())
    const first = faults.find((fault) => fault.severity === 'error')
    area.setCustomValidity(
      verdict === 'invalid' && first ? `${first.line}:${first.column} ${first.message}` : '',
    )
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
