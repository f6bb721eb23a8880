// An input with its name, and a hint that a screen reader says after the name.
import { type ComponentProps, useId } from 'react'

export function Field({ label, hint, ...input }: ComponentProps<'input'> & { label: string; hint: string }) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <span id={`${id}-hint`} className="hint">
        {hint}
      </span>
      <input id={id} aria-describedby={`${id}-hint`} {...input} />
    </div>
  )
}
