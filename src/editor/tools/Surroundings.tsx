// Ties the editor to the page around it: its form, its fieldset, its colours. It shows nothing itself.
import { useEffect, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { adoptStyle } from '../style.ts'
import { listenToGestures } from './gestures.ts'
import type { PartProps } from './partProps.ts'
import { readPageTheme, watchPageTheme } from './theme.ts'
import { TOOL_CSS } from './toolStyle.ts'
import { useFullScreen } from './useFullScreen.ts'
import { useFieldset, useFormField, useStill, useValidity } from './useFormField.ts'

export interface SurroundingsProps extends PartProps {
  /** The text that a reset comes back to. */
  readonly initial: string
}

export function Surroundings(props: SurroundingsProps): null {
  const { state, root, area, actions } = props
  const view = useSyncExternalStore(state.subscribe, state.view, state.view)
  useLayoutEffect(() => {
    adoptStyle(root, TOOL_CSS)
    const read = () => state.show({ pageTheme: readPageTheme(root) })
    read()
    return watchPageTheme(read)
  }, [root, state])
  const { schema, duplicates, jsonc } = props
  // An object written into the JSX is new with every render; only what it says counts.
  const rules = useMemo(() => writeRules(schema, duplicates, jsonc), [schema, duplicates, jsonc])
  const checked = useRef(rules)
  useEffect(() => {
    if (checked.current === rules) return
    checked.current = rules
    state.show({ verdict: 'unknown', isChecking: true })
    state.recheck()
  }, [state, rules])
  useEffect(() => listenToGestures(root, state, actions), [root, state, actions])
  useFormField(area, state, props)
  useFieldset(area, state, props.disabled ?? false)
  useValidity(area, state, view)
  useStill(root)
  useFullScreen(root, state, view.isFullScreen)
  return null
}

function writeRules(...rules: readonly unknown[]): unknown {
  try {
    return JSON.stringify(rules)
  } catch {
    return rules[0]
  }
}
