// A form that stays on the page, and a field with its name and a hint that a screen reader says after the name.
import { type ComponentProps, useId } from 'react'

interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  onSubmit(form: HTMLFormElement): void
}

export function Form({ onSubmit, ...form }: FormProps) {
  return (
    <form
      {...form}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit(event.currentTarget)
      }}
    />
  )
}

export function Field({ label, hint, ...input }: ComponentProps<'input'> & { label: string; hint: string }) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <span id={`${id}-hint`} className="hint">
        {hint}
      </span>
      <input id={id} aria-describedby={`${id}-hint`} autoComplete="off" spellCheck={false} {...input} />
    </div>
  )
}
