'use client'
// The JSON editor: a textarea that works at once, and the parts that load later.
import {
  forwardRef,
  type ForwardRefExoticComponent,
  type RefAttributes,
  type RefObject,
  useEffect,
  useId,
  useImperativeHandle,
  useInsertionEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { createEditorState, type EditorState, type EditorView } from './editorState.ts'
import { toView } from './lineEnds.ts'
import { SHELL_MESSAGES, withTexts } from './messages.ts'
import { beginningOf, showInArea } from './plainSurface.ts'
import type { JsonEditorHandle, JsonEditorProps } from './props.ts'
import { adoptStyle } from './style.ts'
import type { ActionsSource } from './tools/actions.ts'
import { findArea, useBrowserLayout, useTools } from './useTools.ts'
import type { TextAction } from './types.ts'

function createHandle(state: EditorState, { ready }: ActionsSource): JsonEditorHandle {
  const run = (action: TextAction) => async () => (await ready()).run(action)
  return {
    getValue: state.text,
    setValue: (text) => state.replace(text, true),
    format: run('format'),
    compact: run('compact'),
    sortKeys: run('sortKeys'),
    repair: run('repair'),
    validate: async () => (await ready()).validate(),
    copy: async () => (await ready()).copy(),
    open: async (file) => (await ready()).open(file),
    download: () => void ready().then((actions) => actions.download()),
    find: () => void ready().then((actions) => actions.find()),
    compare: (isComparing) => state.show({ isComparing }),
    getMonaco: state.monaco,
    focus: () => state.surface()?.focus(),
    undo: () => state.surface()?.undo(),
    redo: () => state.surface()?.redo(),
  }
}

/** The `data-*` attributes among the props. */
const dataOf = (props: object) =>
  Object.fromEntries(Object.entries(props).filter(([name]) => name.startsWith('data-')))

/** Like a `<textarea>`: a value that is not a string shows nothing, and a warning names it. */
function asText(value: unknown): string | undefined {
  if (value === undefined || typeof value === 'string') return value
  // oxlint-disable-next-line no-console -- as React warns of such a value
  console.warn(`[latchkey] JsonEditor expects a string, got ${value === null ? 'null' : typeof value}`)
  return ''
}

/** Keeps the textarea's text up to date while it is shown. */
function usePlainSurface(
  state: EditorState,
  root: RefObject<HTMLDivElement | null>,
  props: JsonEditorProps,
  view: EditorView,
) {
  const { value, full = true } = props
  useBrowserLayout(() => adoptStyle(root.current!), [root])
  useBrowserLayout(
    () => (view.surface === 'full' ? undefined : showInArea(findArea(root), state)),
    [root, state, view.surface],
  )
  useBrowserLayout(() => state.surface()?.refresh?.(), [state, full, view.surface, view.full === 'failed'])
  useBrowserLayout(() => {
    if (value !== undefined) state.receive(value)
  }, [state, value])
  useEffect(() => state.stop, [state])
}

/**
 * A form field for JSON: text in, text out, byte for byte. It shows each fault and its place, and never changes the text on its
 * own. A textarea is there at once; Monaco replaces it once loaded.
 */
export const JsonEditor: ForwardRefExoticComponent<JsonEditorProps & RefAttributes<JsonEditorHandle>> =
  forwardRef<JsonEditorHandle, JsonEditorProps>(function JsonEditor(given, ref) {
    const value = useMemo(() => asText(given.value), [given.value])
    const props = { ...given, value, schema: given.schema ?? undefined }
    const { height = 320, maxHeight = '60vh', theme = 'auto' } = props
    const { toolbar = true, readOnly = false, full = true } = props
    const [initial] = useState(() => value ?? asText(given.defaultValue) ?? '')
    const [state] = useState(() => createEditorState(initial))
    const root = useRef<HTMLDivElement>(null)
    const ownId = useId()
    const id = props.id ?? ownId
    const view = useSyncExternalStore(state.subscribe, state.view, () => {
      // Runs on the server and before hydration.
      if (typeof document !== 'undefined')
        state.typed ??= (document.getElementById(id) as HTMLTextAreaElement | null)?.value
      return state.view()
    })
    const isDisabled = (props.disabled ?? false) || view.isDisabled
    const say = withTexts(SHELL_MESSAGES, props.messages)
    const isAuto = height === 'auto'
    const isFill = height === '100%'
    const canEdit = !readOnly && !isDisabled
    const [attempt, setAttempt] = useState(0)
    const look = theme === 'auto' ? view.pageTheme : theme

    useInsertionEffect(() => state.configure({ ...props, canEdit }))
    const [Tools, actions] = useTools(state, root, attempt)
    usePlainSurface(state, root, props, view)
    useImperativeHandle(ref, () => createHandle(state, actions), [state, actions])

    const retry = () => {
      // The button disappears, and the focus with it.
      state.surface()?.focus()
      state.show({ full: 'loading', refusal: undefined })
      setAttempt(attempt + 1)
    }
    const isFull = view.surface === 'full'
    const hasFailed = view.full === 'failed'
    const isInvalid = view.result === 'invalid'
    const isPreview = view.size !== 'small' && full && !hasFailed && !isFull
    const statusId = `${id}-status`
    const describedBy = [props['aria-describedby'], statusId].filter(Boolean).join(' ')
    // Only the tools read the elements, so they are known by then.
    const found = Tools?.elements as NonNullable<typeof Tools>['elements']
    const shared = {
      ...props,
      ...found,
      state,
      actions,
      boxId: id,
      canEdit,
      isDisabled,
      describedBy,
      initial,
      look,
      attempt,
    }

    return (
      <div
        {...dataOf(given)}
        ref={root}
        className={['lkje', props.className].filter(Boolean).join(' ')}
        data-theme={look}
        data-own-theme={theme !== 'auto'}
        data-surface={view.surface}
        data-wrapped={view.isWrapped}
        data-auto={isAuto}
        data-invalid={isInvalid}
        data-disabled={isDisabled}
        data-gutter={full !== false && !hasFailed}
        style={{ ...(isFill && { height }), ...props.style }}
      >
        {props.label !== undefined && (
          <label className="lkje-label latchkey-editor-label" htmlFor={id}>
            {props.label}
            {props.required && (
              <span className="lkje-required" aria-hidden="true">
                {' *'}
              </span>
            )}
          </label>
        )}
        <div className="lkje-frame latchkey-editor-frame">
          {toolbar !== false && (
            <div className="lkje-bar">
              {Tools ? <Tools.Toolbar {...shared} /> : <div className="lkje-place" />}
            </div>
          )}
          <div
            className="lkje-box"
            data-resize={!isAuto && !isFill}
            style={
              isAuto
                ? { maxHeight, height: isFull ? view.contentHeight : undefined }
                : isFill
                  ? { flexBasis: 0 }
                  : { height }
            }
          >
            {/* It stays the form's field under Monaco. */}
            <textarea
              id={id}
              className="lkje-area"
              name={props.name}
              defaultValue={toView(full ? beginningOf(initial) : initial)}
              aria-label={props['aria-label'] ?? (props.label === undefined ? say.name : undefined)}
              aria-describedby={describedBy}
              aria-invalid={isInvalid}
              aria-hidden={isFull || undefined}
              tabIndex={isFull ? -1 : undefined}
              readOnly={readOnly || isPreview}
              disabled={props.disabled}
              required={props.required}
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- as a native field: the app asks for it
              autoFocus={props.autoFocus}
              placeholder={props.placeholder}
              spellCheck={false}
              autoCapitalize="off"
              autoCorrect="off"
              autoComplete="off"
              wrap="off"
              onFocus={() => {
                if (isFull) state.surface()?.focus()
                else props.onFocus?.()
              }}
              onBlur={() => {
                if (isFull) return
                state.flush()
                props.onBlur?.()
              }}
            />
            {Tools && <Tools.Overlays {...shared} />}
          </div>
          {hasFailed && full && view.refusal !== '' && (
            <div className="lkje-note" role="status">
              {view.refusal ?? say.failed}
              {view.refusal === undefined && (
                <button type="button" className="lkje-plain" onClick={retry}>
                  {say.retry}
                </button>
              )}
            </div>
          )}
          {isPreview && <div className="lkje-note">{say.preview}</div>}
        </div>
        <div className="lkje-below" style={{ height: props.faultsHeight }}>
          <div className="lkje-status">
            <div id={statusId} role="status">
              {Tools && <Tools.Status {...shared} />}
            </div>
            {view.full === 'loading' && props.loadingFallback !== null && (
              <div aria-hidden={props.loadingFallback === undefined}>
                {props.loadingFallback ?? say.loading}
              </div>
            )}
          </div>
          {Tools && <Tools.Problems {...shared} />}
        </div>
      </div>
    )
  })
