// Find and replace for the textarea; the full editor has its own.
import { type ReactElement, useEffect, useRef, useState } from 'react'
import { withTexts } from '../messages.ts'
import { TOOL_NAMES } from '../toolNames.ts'
import type { PartProps } from './partProps.ts'
import { reveal } from './reveal.ts'
import { TOOL_MESSAGES } from './toolMessages.ts'

export function PlainFind({ state, messages }: PartProps): ReactElement {
  const say = withTexts({ ...TOOL_NAMES, ...TOOL_MESSAGES }, messages)
  const [wanted, setWanted] = useState('')
  const [substitute, setSubstitute] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])

  const close = () => {
    state.show({ isFinding: false, note: '' })
    state.surface()?.focus()
  }
  const findNext = () => {
    const surface = state.surface()
    if (!surface || wanted === '') return
    const text = surface.read()
    const { end } = surface.selection()
    const after = text.indexOf(wanted, end)
    const found = after >= 0 ? after : text.indexOf(wanted)
    state.show({ note: found < 0 ? say.notFound : '' })
    if (found >= 0) reveal(state, found, found + wanted.length)
  }
  const replaceAll = () => {
    if (wanted === '' || !state.inputs().canEdit) return
    const pieces = state.text().split(wanted)
    if (pieces.length > 1) state.replace(pieces.join(substitute), true)
    state.show({ note: pieces.length > 1 ? say.replaced(pieces.length - 1) : say.notFound })
  }

  return (
    <form
      className="lkje-find"
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        findNext()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        // A dialog around the editor stays open.
        event.preventDefault()
        close()
      }}
    >
      <input
        ref={field}
        aria-label={say.find}
        placeholder={say.find}
        value={wanted}
        onChange={(event) => setWanted(event.target.value)}
      />
      <button type="submit">{say.findNext}</button>
      <input
        aria-label={say.replaceWith}
        placeholder={say.replaceWith}
        value={substitute}
        onChange={(event) => setSubstitute(event.target.value)}
      />
      <button type="button" onClick={replaceAll}>
        {say.replaceAll}
      </button>
      <button type="button" onClick={close}>
        {say.close}
      </button>
    </form>
  )
}
