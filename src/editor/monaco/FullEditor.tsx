// Monaco in place of the textarea: takes over its text, and returns it when unmounted.
import type { editor } from 'monaco-editor/editor'
import {
  type ReactElement,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { withTexts } from '../messages.ts'
import type { PartProps } from '../tools/partProps.ts'
import { TOOL_MESSAGES } from '../tools/toolMessages.ts'
import { describeTextbox, ending, leaveByTab } from './behaviour.ts'
import { Compare } from './Compare.tsx'
import { createFullDocument, type FullDocument } from './fullDocument.ts'
import { setUpMonaco } from './language.ts'
import { chooseOptions } from './options.ts'
import { useLanguage, useMarkers } from './useMonaco.ts'

const THEMES = { light: 'light', dark: 'vs-dark', 'high-contrast': 'hc-black' } as const

/** Does a transform around `place` shift Monaco's fixed-position elements, such as suggestions? */
function isMoved(place: HTMLElement): boolean {
  const probe = document.createElement('i')
  probe.style.cssText = 'position:fixed;top:0;left:0'
  place.append(probe)
  const { x, y } = probe.getBoundingClientRect()
  probe.remove()
  return x !== 0 || y !== 0
}

type Shown = { readonly document: FullDocument; readonly editor: editor.IStandaloneCodeEditor }

/** The text in Monaco and its editor, created again each time React shows a hidden tree. */
function useFullDocument(props: PartProps, options: editor.IStandaloneEditorConstructionOptions) {
  const { state, area, initial } = props
  const box = useRef<HTMLDivElement>(null)
  const newest = useRef({ options, props })
  const [shown, setShown] = useState<Shown>()
  const [error, setError] = useState<Error>()
  useLayoutEffect(() => {
    newest.current = { options, props }
  })
  useEffect(() => {
    const place = box.current!
    let created: editor.IStandaloneCodeEditor | undefined
    let full: FullDocument | undefined
    let isGone = false
    const begin = () => {
      const monaco = setUpMonaco()
      const document = createFullDocument(monaco, state)
      full = document
      newest.current.props.beforeMount?.(monaco)
      created = monaco.editor.create(place, {
        ...newest.current.options,
        fixedOverflowWidgets: !isMoved(place),
        model: document.model,
      })
      document.setEditor(created)
      const takeOver = () => {
        if (state.view().surface === 'full' || document.editor() !== created) return
        // The input method has not finished its word.
        if (state.surface()?.isComposing?.())
          area.addEventListener('compositionend', () => setTimeout(takeOver), { once: true })
        else document.takeOver(area, initial)
      }
      takeOver()
      setShown({ document, editor: created })
      state.setMonaco({ editor: created, monaco })
      newest.current.props.onMount?.(created, monaco)
    }
    // Deferred: StrictMode undoes the first effect, and the textarea's state would be lost with it.
    queueMicrotask(() => {
      try {
        if (!isGone) begin()
      } catch (reason) {
        setError(new Error('Monaco could not be set up', { cause: reason }))
      }
    })
    return () => {
      isGone = true
      setShown(undefined)
      state.setMonaco(undefined)
      created?.dispose()
      full?.setEditor(undefined)
      // After the comparison has released it.
      queueMicrotask(() => {
        // If only the full editor unmounts, or React hides the tree, the textarea gets the text again.
        if (area.isConnected && full && state.surface() === full.surface) state.attach(undefined, 'plain')
        full?.dispose()
      })
    }
  }, [state, area, initial])
  useEffect(() => shown?.editor.updateOptions(options), [shown, options])
  return { box, shown, error }
}

function useMonacoEvents(mounted: editor.IStandaloneCodeEditor | undefined, props: PartProps): void {
  const { state, onFocus, onBlur, isDisabled } = props
  useEffect(() => {
    if (!mounted) return undefined
    const read = () => state.show({ contentHeight: mounted.getContentHeight() })
    read()
    const leave = () => {
      state.flush()
      if (!isDisabled) onBlur?.()
    }
    const place = mounted.getContainerDomNode()
    // Lists beyond the editor are placed in the window, and Monaco sees nothing around it scroll.
    const follow = ({ target }: Event) => (target as Node).contains(place) && mounted.render(true)
    place.ownerDocument.addEventListener('scroll', follow, true)
    return ending(
      () => place.ownerDocument.removeEventListener('scroll', follow, true),
      mounted.onDidContentSizeChange(read),
      mounted.onDidFocusEditorWidget(() => isDisabled || onFocus?.()),
      // Monaco takes the focus at a click; a disabled field does not.
      mounted.onDidFocusEditorText(() => isDisabled && place.querySelector<HTMLElement>(':focus')?.blur()),
      mounted.onDidBlurEditorWidget(leave),
    )
  }, [mounted, onFocus, onBlur, isDisabled, state])
}

export function FullEditor(props: PartProps): ReactElement {
  const { state, area, look = 'light', canEdit, isDisabled } = props
  const view = useSyncExternalStore(state.subscribe, state.view, state.view)
  const wasWrapped = useRef(view.isWrapped)
  const { isWrapped, isEmpty, surface, size } = view
  // Monaco applies all options again whenever the object is another one.
  const written = JSON.stringify(chooseOptions(props, view))
  const own = props.options
  const options = useMemo(
    () => ({ ...(JSON.parse(written) as editor.IStandaloneEditorConstructionOptions), ...own }),
    [written, own],
  )
  const { box, shown, error } = useFullDocument(props, options)
  if (error) throw error
  const { document: full, editor: mounted } = shown ?? {}

  useMonacoEvents(mounted, props)
  useEffect(() => (mounted ? leaveByTab(mounted, state) : undefined), [mounted, state])
  const helpId = `${props.boxId}-help`
  const isInvalid = view.result === 'invalid'
  const describedBy = `${props.describedBy} ${helpId}`
  const description = useMemo(
    () => ({
      'aria-describedby': describedBy,
      'aria-invalid': isInvalid,
      'aria-disabled': isDisabled,
      'aria-readonly': !canEdit,
    }),
    [describedBy, isInvalid, isDisabled, canEdit],
  )
  useEffect(() => {
    if (mounted) describeTextbox(mounted, description)
  }, [mounted, description, options])
  useEffect(() => {
    const position = mounted?.getPosition()
    if (!position || wasWrapped.current === isWrapped) return
    // Wrapping moves the lines: scroll the caret back into view.
    wasWrapped.current = isWrapped
    mounted?.revealPositionInCenterIfOutsideViewport(position, 1)
  }, [mounted, isWrapped])
  const isComparing = view.isComparing && props.original !== undefined
  useLayoutEffect(() => {
    // Makes the editor under the comparison unreachable; by hand, because React 18 and 19 write `inert` differently.
    mounted?.getContainerDomNode().toggleAttribute('inert', isComparing)
  }, [mounted, isComparing])
  useEffect(() => {
    // The textarea stays the form's field: a space stands for any text, so that `required` works.
    if (surface === 'full') area.setRangeText(isEmpty ? '' : ' ', 0, area.value.length)
  }, [area, surface, isEmpty])
  const theme = look === 'high-contrast' && view.isForcedLight ? 'hc-light' : THEMES[look]
  useEffect(() => full?.monaco.editor.setTheme(own?.theme ?? theme), [full, theme, own?.theme])
  useEffect(() => {
    // The user asked for the search before Monaco was ready.
    if (!mounted || surface !== 'full' || !view.isFinding) return
    state.surface()?.find?.()
    state.show({ isFinding: false })
  }, [mounted, surface, view.isFinding, state])
  useMarkers(full, state, view)
  const explained = size === 'huge' || surface !== 'full' ? undefined : full
  useLanguage(explained, view.isGivenUp ? undefined : props.schema)

  const { keyboardHelp, original: originalLabel } = withTexts(TOOL_MESSAGES, props.messages)
  return (
    // Monaco appends its menus next to its editors: only inside this element do they get its colours.
    <div className="lkje-full monaco-component">
      <span id={helpId} hidden>
        {keyboardHelp}
      </span>
      <div ref={box} className="lkje-monaco" />
      {shown && isComparing && (
        <Compare
          document={shown.document}
          state={state}
          main={shown.editor}
          original={props.original ?? ''}
          originalLabel={originalLabel}
          options={options}
          description={description}
        />
      )}
    </div>
  )
}
