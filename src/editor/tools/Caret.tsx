// Where the caret is: line, column, how much is selected, and the JSON path, which a click copies.
import { type ReactElement, useEffect, useState } from 'react'
import { CHECK_DEBOUNCE_MS, LARGE_LENGTH } from '../constants.ts'
import type { EditorState } from '../editorState.ts'
import { locate } from '../location.ts'
import { withTexts } from '../messages.ts'
import { findPlaces, type Place } from '../places.ts'
import type { PartProps } from './partProps.ts'
import { TOOL_MESSAGES } from './toolMessages.ts'

const MOST_SHOWN = 100

interface CaretPlace extends Place {
  readonly selected: number
  readonly path: string
}

function readCaret(state: EditorState): CaretPlace | undefined {
  const surface = state.surface()
  if (!surface) return undefined
  const { start, end } = surface.selection()
  // Above that it would have to be looked for with every key; who asks for it still gets it.
  const path = surface.length() > LARGE_LENGTH ? '' : locate(state.viewText(), start)
  const place = surface.placeOf?.(end) ?? findPlaces(state.viewText(), [end])[0]!
  return { ...place, selected: end - start, path }
}

export function Caret({ state, root, actions, messages, isDisabled }: PartProps): ReactElement | null {
  const say = withTexts(TOOL_MESSAGES, messages)
  const [place, setPlace] = useState(() => readCaret(state))
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(() => setPlace(readCaret(state)), CHECK_DEBOUNCE_MS)
    }
    const listening = new AbortController()
    const page = root.ownerDocument
    // Neither the textarea nor Monaco says with one event that the caret has moved.
    for (const kind of ['keyup', 'pointerup', 'selectionchange']) {
      page.addEventListener(kind, wait, { signal: listening.signal, capture: true })
    }
    const stop = state.subscribe(wait)
    wait()
    return () => {
      clearTimeout(timer)
      stop()
      listening.abort()
    }
  }, [state, root])
  if (!place || isDisabled) return null
  return (
    <button
      type="button"
      className="lkje-caret"
      title={say.copyPath}
      onClick={() => void actions.ready().then((ready) => ready.copyPath())}
    >
      <bdi>
        {say.caret(place.line, place.column, place.selected)}{' '}
        <code>{place.path.length > MOST_SHOWN ? `…${place.path.slice(-MOST_SHOWN)}` : place.path}</code>
      </bdi>
    </button>
  )
}
