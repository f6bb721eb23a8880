// Connects the editor to the page around it: its form, its fieldset, its colours.
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import type { EditorView } from '../editorState.ts'
import { adoptStyle } from '../style.ts'
import { serialize } from './checking.ts'
import { listenToGestures } from './gestures.ts'
import { FORCED_LIGHT, matches, readPageTheme, watchPage } from './pageTheme.ts'
import type { PartProps } from './partProps.ts'
import { TOOL_CSS } from './toolStyle.ts'
import { useFieldset, useFormField, useStableHeight, useValidity } from './useFormField.ts'

export function useSurroundings(props: PartProps, view: EditorView): void {
  const { state, root, area, actions, schema, duplicates, messages } = props
  useLayoutEffect(() => {
    adoptStyle(root, TOOL_CSS)
    return watchPage(root, () => {
      const { fontSize } = getComputedStyle(area)
      state.show({ pageTheme: readPageTheme(root), isForcedLight: matches(FORCED_LIGHT), fontSize })
    })
  }, [root, area, state])
  const rules = useMemo(() => serialize([schema, duplicates]), [schema, duplicates])
  const said = useMemo(() => serialize(messages), [messages])
  const checked = useRef({ rules, said })
  useEffect(() => {
    const last = checked.current
    if (last.rules === rules && last.said === said) return
    checked.current = { rules, said }
    if (last.rules !== rules) state.show({ result: 'unknown', isChecking: true })
    state.recheck()
  }, [state, rules, said])
  useEffect(() => listenToGestures(root, state, actions), [root, state, actions])
  useFormField(area, state, props)
  useFieldset(area, state, props.disabled ?? false)
  useValidity(area, state, view)
  useStableHeight(root)
}
