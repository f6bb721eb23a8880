'use client'
// The editor people meet: a textarea that works at once, and around it what arrives later.
import {
  forwardRef,
  type ForwardRefExoticComponent,
  type RefAttributes,
  useEffect,
  useId,
  useImperativeHandle,
  useInsertionEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { LARGE_LENGTH } from './constants.ts'
import { createEditorState, type EditorState, type EditorView } from './editorState.ts'
import { toView } from './lineEnds.ts'
import { SHELL_MESSAGES, withTexts } from './messages.ts'
import { createPlainSurface, type PlainSurface, PREVIEW_LENGTH } from './plainSurface.ts'
import type { JsonEditorHandle, JsonEditorProps } from './props.ts'
import { adoptStyle } from './style.ts'
import type { ActionsSource } from './tools/actions.ts'
import { createElements, useBrowserLayout, useTools } from './useTools.ts'
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
    outline: (isOutlined) => state.show({ isOutlined }),
    focus: () => state.surface()?.focus(),
    undo: () => state.surface()?.undo(),
    redo: () => state.surface()?.redo(),
  }
}

function Label({ label, required, boxId }: JsonEditorProps & { readonly boxId: string }) {
  if (label === undefined) return null
  return (
    <label className="lkje-label" htmlFor={boxId}>
      {label}
      {required && (
        <span className="lkje-required" aria-hidden="true">
          {' '}
          *
        </span>
      )}
    </label>
  )
}

interface FieldProps extends JsonEditorProps {
  readonly state: EditorState
  readonly view: EditorView
  readonly boxId: string
  /** Monaco is shown in its place. */
  readonly isFull: boolean
  /** Only the beginning of a large text is in it. */
  readonly isPreview: boolean
  readonly initial: string
  readonly describedBy: string
}

/** The textarea, which stays the form's field when Monaco is there. */
function Field(props: FieldProps) {
  const { state, view, boxId, isFull, isPreview, initial, describedBy, label, full = true } = props
  const { name } = withTexts(SHELL_MESSAGES, props.messages)
  return (
    <textarea
      id={boxId}
      className="lkje-area"
      name={props.name}
      // A large text is only begun here: the rest would freeze the textarea and comes with the full editor.
      defaultValue={toView(
        initial.length > LARGE_LENGTH && full ? initial.slice(0, PREVIEW_LENGTH) : initial,
      )}
      aria-label={label === undefined ? (props['aria-label'] ?? name) : props['aria-label']}
      aria-describedby={describedBy}
      aria-invalid={view.verdict === 'invalid'}
      aria-hidden={isFull || undefined}
      tabIndex={isFull ? -1 : undefined}
      readOnly={props.readOnly || isPreview}
      disabled={props.disabled}
      required={props.required}
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
  )
}

/** The textarea's text and everything that is done to it while it is what people see. */
function usePlainSurface(
  state: EditorState,
  elements: ReturnType<typeof createElements>['elements'],
  props: JsonEditorProps,
  view: EditorView,
) {
  const { value, full = true } = props
  useBrowserLayout(() => adoptStyle(elements().root), [elements])
  const plain = useRef<PlainSurface>(undefined)
  useBrowserLayout(() => {
    if (view.surface === 'full') return undefined
    const surface = createPlainSurface(elements().area, state, plain.current)
    state.attach(surface, 'plain', surface.goesOn ? 'the same' : undefined)
    plain.current = surface
    return surface.leave
  }, [elements, state, view.surface])
  useBrowserLayout(() => {
    if (view.surface === 'plain') plain.current?.refresh()
  }, [full, view.surface, view.full === 'failed'])
  useBrowserLayout(() => {
    if (value !== undefined) state.receive(value)
  }, [state, value])
  useEffect(() => state.stop, [state])
}

/**
 * A box for JSON: text in, text out, byte for byte. It says what is wrong and where, and changes nothing on its
 * own. A textarea is there at once; Monaco takes its place when it has arrived and never has to.
 */
export const JsonEditor: ForwardRefExoticComponent<JsonEditorProps & RefAttributes<JsonEditorHandle>> =
  forwardRef<JsonEditorHandle, JsonEditorProps>(function JsonEditor(props, ref) {
    const { value, defaultValue, height = 320, maxHeight = '60vh', theme = 'auto' } = props
    const { toolbar = true, readOnly = false, full = true } = props
    const [initial] = useState(value ?? defaultValue ?? '')
    const [state] = useState(() => createEditorState(initial, props.outline))
    const view = useSyncExternalStore(state.subscribe, state.view, state.view)
    const [{ takeRoot, elements }] = useState(createElements)
    const ownId = useId()
    const id = props.id ?? ownId
    const isDisabled = (props.disabled ?? false) || view.isDisabled
    const say = withTexts(SHELL_MESSAGES, props.messages)
    const isAuto = height === 'auto'
    const canEdit = !readOnly && !isDisabled
    const [attempt, setAttempt] = useState(0)
    const look = theme === 'auto' ? view.pageTheme : theme

    useInsertionEffect(() => state.configure({ ...props, canEdit }))
    const [Tools, actions] = useTools(state, elements, attempt)
    usePlainSurface(state, elements, props, view)
    useImperativeHandle(ref, () => createHandle(state, actions), [state, actions])

    const retry = () => {
      // The button goes, and with it the focus.
      elements().area.focus()
      state.show({ full: 'loading', refusal: undefined })
      setAttempt(attempt + 1)
    }
    const isFull = view.surface === 'full'
    const isPreview = view.size !== 'small' && full && view.full !== 'failed' && !isFull
    const statusId = `${id}-status`
    const describedBy = [props['aria-describedby'], statusId].filter(Boolean).join(' ')
    // The elements are known before the tools are, and only the tools ask for them.
    const found = Tools?.elements as NonNullable<typeof Tools>['elements']
    const shared = { ...props, ...found, state, actions, boxId: id, canEdit, isDisabled }

    return (
      <div
        ref={takeRoot}
        className={props.className ? `lkje ${props.className}` : 'lkje'}
        data-theme={look}
        data-own-theme={theme !== 'auto'}
        data-surface={view.surface}
        data-wrapped={view.isWrapped}
        data-auto={isAuto}
        data-invalid={view.verdict === 'invalid'}
        data-disabled={isDisabled}
        style={height === '100%' ? { height } : undefined}
      >
        <Label {...shared} />
        <div className="lkje-frame">
          {toolbar !== false && (
            <div className="lkje-bar">
              {Tools ? <Tools.Toolbar {...shared} /> : <div className="lkje-place" />}
            </div>
          )}
          <div
            className="lkje-box"
            data-resize={!isAuto && height !== '100%'}
            style={
              isAuto
                ? { maxHeight, ...(isFull && { height: view.contentHeight }) }
                : height === '100%'
                  ? { flexBasis: 0 }
                  : { height }
            }
          >
            <Field
              view={view}
              {...shared}
              isFull={isFull}
              isPreview={isPreview}
              initial={initial}
              describedBy={describedBy}
            />
            {Tools && full && (
              <Tools.FullLoader {...shared} attempt={attempt} look={look} describedBy={describedBy} />
            )}
            {Tools && <Tools.Overlays {...shared} />}
          </div>
          {view.full === 'failed' && full && (
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
              {Tools ? (
                <Tools.Status {...shared} />
              ) : (
                view.full === 'failed' &&
                (view.verdict === 'valid' ? say.valid : view.verdict === 'invalid' && say.notJson(view.note))
              )}
            </div>
            {Tools && !isDisabled && <Tools.Caret {...shared} />}
            {view.full === 'loading' && props.loadingFallback !== null && (
              <div aria-hidden={props.loadingFallback === undefined}>
                {props.loadingFallback ?? say.loading}
              </div>
            )}
          </div>
          {Tools && <Tools.Problems {...shared} />}
        </div>
        {Tools && <Tools.Surroundings {...shared} initial={initial} />}
      </div>
    )
  })
