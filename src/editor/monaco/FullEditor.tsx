// Monaco in the textarea's place: it takes over what is there and gives it back when it has to go.
import { Editor } from '@monaco-editor/react'
import type { editor } from 'monaco-editor/editor'
import {
  type ReactElement,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import type { EditorState } from '../editorState.ts'
import { withTexts } from '../messages.ts'
import { TOOL_MESSAGES } from '../tools/toolMessages.ts'
import type { PartProps } from '../tools/partProps.ts'
import { Compare } from './Compare.tsx'
import { describeTextbox, ending, takeKeys, takePaste } from './behaviour.ts'
import { addCommands } from './commands.ts'
import { createFullDocument, type FullDocument } from './fullDocument.ts'
import { LANGUAGE, setUpMonaco } from './language.ts'
import { chooseOptions } from './options.ts'
import { useLanguage, useMarkers } from './useMonaco.ts'

export interface FullEditorProps extends PartProps {
  readonly onContentHeight: (height: number) => void
}

const THEMES = { light: 'light', dark: 'vs-dark', 'high-contrast': 'hc-black' } as const
/** The user's own high contrast, on a light ground: a black editor would be the one dark thing of the page. */
const LIGHT_CONTRAST = '(forced-colors: active) and (prefers-color-scheme: light)'

/** Frees the model of an editor that React had hidden and then forgotten without a last word. */
const forgotten =
  typeof FinalizationRegistry === 'function'
    ? new FinalizationRegistry<FullDocument>((document) => document.dispose())
    : undefined

/** Does a transform around `place` move what Monaco would put at a place of the window, such as suggestions? */
function isMoved(place: HTMLElement | null): boolean {
  if (!place) return false
  const probe = document.createElement('i')
  probe.style.cssText = 'position:fixed;top:0;left:0'
  place.append(probe)
  const { x, y } = probe.getBoundingClientRect()
  probe.remove()
  return x !== 0 || y !== 0
}

/** The text in Monaco, and the editor that shows it: a new one each time React has hidden it. */
function useFullDocument(box: RefObject<HTMLDivElement | null>, state: EditorState) {
  const held = useRef<FullDocument>(undefined)
  const [shown, setShown] = useState<FullDocument>()
  const [error, setError] = useState<Error>()
  const [instance, setInstance] = useState(0)
  const [mounted, setMounted] = useState<editor.IStandaloneCodeEditor>()
  const [isElsewhere, setElsewhere] = useState(false)
  useEffect(() => {
    const place = box.current!
    let isGone = false
    setUpMonaco().then(
      (monaco) => {
        if (isGone) return
        held.current ??= createFullDocument(monaco, state)
        forgotten?.unregister(place)
        setElsewhere(isMoved(place))
        setShown(held.current)
      },
      (reason: unknown) => setError(new Error('Monaco could not be set up', { cause: reason })),
    )
    return () => {
      isGone = true
      setMounted(undefined)
      setShown(undefined)
      // @monaco-editor/react cannot be shown again after React has hidden it: the next one is a new one.
      setInstance((count) => count + 1)
      const document = held.current
      if (!document) return
      document.setEditor(undefined)
      // Out of the page means unmounted; still in it means hidden, or StrictMode trying.
      queueMicrotask(() => {
        if (place.isConnected) forgotten?.register(place, document, place)
        else {
          held.current = undefined
          document.dispose()
        }
      })
    }
  }, [box, state])
  return { shown, error, instance, mounted, setMounted, isElsewhere }
}

type Mounted = editor.IStandaloneCodeEditor | undefined

/** Takes the text over from the textarea, and what people do with it from then on. */
function useTakeOver(
  shown: FullDocument | undefined,
  mounted: Mounted,
  { state, area }: FullEditorProps,
  box: RefObject<HTMLDivElement | null>,
): void {
  useEffect(() => {
    if (!shown || !mounted) return
    shown.setEditor(mounted)
    const takeOver = () => {
      if (state.view().surface === 'full') return
      if (state.surface()?.isComposing?.()) {
        // An input method is in the middle of a word; its end comes as an event of its own.
        area.addEventListener('compositionend', () => setTimeout(takeOver), { once: true })
        return
      }
      shown.takeOver(area)
    }
    takeOver()
  }, [shown, mounted, area, state])

  useEffect(() => {
    if (!mounted || !shown) return undefined
    return ending(takePaste(shown, box.current!, state), takeKeys(mounted, shown.monaco, state))
  }, [mounted, shown, state, box])
}

/** Passes on what Monaco tells; gives the model that it shows now. */
function useNews(mounted: Mounted, props: FullEditorProps): editor.ITextModel | undefined {
  const [model, setModel] = useState<editor.ITextModel>()
  const { state, onContentHeight, onFocus, onBlur } = props
  useEffect(() => {
    if (!mounted) return undefined
    const read = () => onContentHeight(mounted.getContentHeight())
    const readModel = () => setModel(mounted.getModel() ?? undefined)
    read()
    readModel()
    const leave = () => {
      state.flush()
      onBlur?.()
    }
    return ending(
      mounted.onDidChangeModel(readModel),
      mounted.onDidContentSizeChange(read),
      mounted.onDidFocusEditorWidget(() => onFocus?.()),
      mounted.onDidBlurEditorWidget(leave),
    )
  }, [mounted, onContentHeight, onFocus, onBlur, state])
  return model
}

export function FullEditor(props: FullEditorProps): ReactElement {
  const { state, area, look = 'light', canEdit, isDisabled, actions } = props
  const isReadOnly = !canEdit
  const view = useSyncExternalStore(state.subscribe, state.view, state.view)
  const box = useRef<HTMLDivElement>(null)
  const { shown, error, instance, mounted, setMounted, isElsewhere } = useFullDocument(box, state)
  const wasWrapped = useRef(view.isWrapped)
  const { size, isWrapped } = view

  if (error) throw error

  // Monaco takes all of them again whenever they are another object.
  const written = JSON.stringify(chooseOptions(props, view, isElsewhere))
  const options = useMemo(() => JSON.parse(written) as editor.IStandaloneEditorConstructionOptions, [written])

  useTakeOver(shown, mounted, props, box)
  const model = useNews(mounted, props)
  const helpId = `${props.boxId}-help`
  const isInvalid = view.verdict === 'invalid'
  const describedBy = `${props.describedBy} ${helpId}`
  const description = useMemo(
    () => ({ describedBy, isInvalid, isDisabled, isReadOnly }),
    [describedBy, isInvalid, isDisabled, isReadOnly],
  )
  useEffect(() => {
    // Another model comes with another textbox.
    if (mounted) describeTextbox(mounted, description)
  }, [mounted, model, description, options])
  useEffect(() => {
    const position = mounted?.getPosition()
    if (!position || wasWrapped.current === isWrapped) return
    // Lines are others now: where people are is to be seen again.
    wasWrapped.current = isWrapped
    mounted?.revealPositionInCenterIfOutsideViewport(position, 1)
  }, [mounted, isWrapped])
  const isComparing = view.isComparing && props.original !== undefined
  useLayoutEffect(() => {
    // The editor under the comparison is nobody's to reach; by hand, because the two Reacts write `inert` differently.
    mounted?.getContainerDomNode().toggleAttribute('inert', isComparing)
  }, [mounted, isComparing])
  useEffect(() => {
    // The textarea stays as the form's field; what it holds only says whether there is something.
    if (view.surface === 'full') area.setRangeText(view.isEmpty ? '' : ' ', 0, area.value.length)
  }, [area, view.surface, view.isEmpty])
  const canCompare = props.original !== undefined
  useEffect(
    () => (mounted && shown ? addCommands(mounted, shown.monaco, state, actions) : undefined),
    [mounted, shown, state, actions, canCompare],
  )
  useMarkers(shown, state, view)
  useLanguage(shown, state, view.surface === 'full' && size !== 'huge' ? model : undefined, props.schema)

  const { keyboardHelp, original: originalLabel } = withTexts(TOOL_MESSAGES, props.messages)
  return (
    // Monaco puts its menus beside its editors; only in here they know its colours.
    <div ref={box} className="lkje-full monaco-component">
      <span id={helpId} hidden>
        {keyboardHelp}
      </span>
      {shown && (
        <Editor
          key={instance}
          defaultPath={shown.model().uri.toString()}
          defaultLanguage={LANGUAGE}
          keepCurrentModel
          saveViewState={false}
          theme={look === 'high-contrast' && matchMedia(LIGHT_CONTRAST).matches ? 'hc-light' : THEMES[look]}
          loading={null}
          options={options}
          onMount={setMounted}
        />
      )}
      {shown && mounted && isComparing && (
        <Compare
          key={`compare ${instance}`}
          document={shown}
          state={state}
          main={mounted}
          original={props.original ?? ''}
          originalLabel={originalLabel}
          options={options}
          description={description}
          actions={actions}
        />
      )}
    </div>
  )
}
