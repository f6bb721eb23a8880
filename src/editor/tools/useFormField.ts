// The editor as a native form field: its data, its reset, its validity and a fieldset that disables it.
import { useEffect } from 'react'
import type { EditorState, EditorView } from '../editorState.ts'

/** Gives a form the text byte for byte, whatever the textarea holds at the moment. */
export function useFormField(
  area: HTMLTextAreaElement | null,
  state: EditorState,
  options: { name: string | undefined; initial: string },
): void {
  const { name, initial } = options
  useEffect(() => {
    if (!area) return undefined
    const root = area.getRootNode()
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
    /** Whoever hears that the form is sent has been told the last key of a large text. */
    const flush = (event: Event) => {
      if (event.target === area.form) state.flush()
    }
    root.addEventListener('formdata', addData)
    root.addEventListener('reset', reset)
    root.addEventListener('submit', flush, { capture: true })
    return () => {
      root.removeEventListener('submit', flush, { capture: true })
      root.removeEventListener('formdata', addData)
      root.removeEventListener('reset', reset)
    }
  }, [area, state, name, initial])
}

/** Keeps a form from being sent with broken JSON, with the first fault as the browser's message. */
export function useValidity(area: HTMLTextAreaElement | null, view: EditorView): void {
  const { verdict, faults } = view
  useEffect(() => {
    const first = faults.find((fault) => fault.severity === 'error')
    area?.setCustomValidity(
      verdict === 'invalid' && first ? `${first.line}:${first.column} ${first.message}` : '',
    )
  }, [area, verdict, faults])
}

/** Tells whether the field is disabled, by its own property or by a fieldset around it. */
export function useFieldset(area: HTMLTextAreaElement | null, state: EditorState, disabled: boolean): void {
  useEffect(() => {
    if (!area) return undefined
    const read = () => state.show({ isDisabled: area.matches(':disabled') })
    read()
    const observer = new MutationObserver(read)
    for (let set = area.closest('fieldset'); set; set = set.parentElement?.closest('fieldset') ?? null) {
      observer.observe(set, { attributes: true, attributeFilter: ['disabled'] })
    }
    return () => observer.disconnect()
  }, [area, state, disabled])
}
