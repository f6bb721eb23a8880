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
  useLayoutEffect,
  useState,
  useSyncExternalStore,
} from 'react'
import { LARGE_LENGTH, TAB_SIZE } from './constants.ts'
import { createEditorState } from './editorState.ts'
import { toView } from './lineEnds.ts'
import { SHELL_MESSAGES, withTexts } from './messages.ts'
import { createPlainSurface, PREVIEW_LENGTH } from './plainSurface.ts'
import type { JsonEditorHandle, JsonEditorProps } from './props.ts'
import { adoptStyle } from './style.ts'
import { type PageTheme, readPageTheme, watchPageTheme } from './theme.ts'
import { FullBoundary, useFullEditor, useTools } from './useParts.tsx'
import type { TextAction } from './types.ts'
import { useFormField, useIsDisabled, useValidity } from './useFormField.ts'

// The server has no layout; asking for one there only makes React 18 complain.
const useBrowserLayout = typeof document === 'undefined' ? useEffect : useLayoutEffect

const toCss = (length: number | string | undefined) => (typeof length === 'number' ? `${length}px` : length)

/** With Shift and Alt, wherever the focus is in the frame. */
const ACTION_KEYS: Record<string, TextAction> = {
  KeyF: 'format',
  KeyC: 'compact',
  KeyS: 'sortKeys',
  KeyR: 'repair',
}

/**
 * A box for JSON: text in, text out, byte for byte. It says what is wrong and where, and changes nothing on its
 * own. A textarea is there at once; Monaco takes its place when it has arrived and never has to.
 */
export const JsonEditor: ForwardRefExoticComponent<JsonEditorProps & RefAttributes<JsonEditorHandle>> =
  forwardRef<JsonEditorHandle, JsonEditorProps>(function JsonEditor(props, ref) {
    const { value, defaultValue, onChange, onValidate, label, name, messages, original } = props
    const { height = 320, maxHeight = '60vh', tabSize = TAB_SIZE, theme = 'auto', toolbar = true } = props
    const { readOnly = false, required = false, full = true } = props
    const [initial] = useState(value ?? defaultValue ?? '')
    const [state] = useState(() => createEditorState(initial))
    const view = useSyncExternalStore(state.subscribe, state.view, state.view)
    const [root, setRoot] = useState<HTMLDivElement | null>(null)
    const [area, setArea] = useState<HTMLTextAreaElement | null>(null)
    const ownId = useId()
    const id = props.id ?? ownId
    const isDisabled = useIsDisabled(area, props.disabled ?? false)
    const say = withTexts(SHELL_MESSAGES, messages)
    const isAuto = height === 'auto'
    const [isDropping, setIsDropping] = useState(false)
    const [pageTheme, setPageTheme] = useState<PageTheme>('light')
    const look = theme === 'auto' ? pageTheme : theme

    useInsertionEffect(() => {
      state.configure({
        onChange,
        onValidate,
        isControlled: value !== undefined,
        canEdit: !readOnly && !isDisabled,
        spaces: tabSize,
        fileName: props.fileName ?? `${name ?? 'data'}.json`,
        original,
        ...(messages && { messages }),
      })
    })
    useBrowserLayout(() => {
      if (!root) return undefined
      adoptStyle(root)
      const read = () => setPageTheme(readPageTheme(root))
      read()
      return watchPageTheme(read)
    }, [root])

    const tools = useTools(state)
    const editor = useFullEditor(state, full, area)
    useBrowserLayout(() => {
      if (!area || view.surface === 'full') return undefined
      const surface = createPlainSurface(area, state, () => full && state.view().full !== 'failed')
      state.attach(surface, 'plain')
      return surface.leave
    }, [area, state, full, view.surface, view.full === 'failed'])
    useBrowserLayout(() => {
      if (value !== undefined) state.receive(value)
    }, [state, value])
    useEffect(() => state.stop, [state])
    useFormField(area, state, { name, initial })
    useValidity(area, view)

    useImperativeHandle(
      ref,
      () => ({
        getValue: state.text,
        setValue: (text) => state.replace(text, true),
        format: async () => (await tools.ready()).run('format'),
        compact: async () => (await tools.ready()).run('compact'),
        sortKeys: async () => (await tools.ready()).run('sortKeys'),
        repair: async () => (await tools.ready()).run('repair'),
        validate: async () => (await tools.ready()).validate(),
        copy: async () => (await tools.ready()).copy(),
        open: async (file) => (await tools.ready()).open(file),
        download: () => void tools.ready().then((actions) => actions.download()),
        find: () => void tools.ready().then((actions) => actions.find()),
        compare: (isComparing) => state.show({ isComparing }),
        focus: () => state.surface()?.focus(),
        undo: () => state.surface()?.undo(),
        redo: () => state.surface()?.redo(),
      }),
      [state, tools],
    )

    const isFull = view.surface === 'full'
    const isPreview = view.size !== 'small' && full && view.full !== 'failed' && !isFull
    const statusId = `${id}-status`
    const describedBy = [props['aria-describedby'], statusId].filter(Boolean).join(' ')
    const isInvalid = view.verdict === 'invalid'
    const Full = editor.Full
    const Tools = tools.parts

    return (
      <div
        ref={setRoot}
        className={props.className ? `lkje ${props.className}` : 'lkje'}
        data-theme={look}
        data-surface={view.surface}
        data-wrapped={view.isWrapped}
        data-auto={isAuto}
        data-invalid={isInvalid}
        data-disabled={isDisabled}
        style={height === '100%' ? { height } : undefined}
      >
        {label !== undefined && (
          <label className="lkje-label" htmlFor={id}>
            {label}
            {required && (
              <span className="lkje-required" aria-hidden="true">
                {' '}
                *
              </span>
            )}
          </label>
        )}
        <div
          className="lkje-frame"
          data-drop={isDropping}
          onKeyDownCapture={(event) => {
            const action = event.shiftKey && event.altKey ? ACTION_KEYS[event.code] : undefined
            if (!action || event.ctrlKey || event.metaKey) return
            event.preventDefault()
            event.stopPropagation()
            void tools.ready().then((actions) => actions.run(action))
          }}
          onDragOverCapture={(event) => {
            if (!event.dataTransfer.types.includes('Files') || readOnly || isDisabled) return
            event.preventDefault()
            event.stopPropagation()
            setIsDropping(true)
          }}
          onDragLeave={() => setIsDropping(false)}
          onDropCapture={(event) => {
            setIsDropping(false)
            const file = event.dataTransfer.files[0]
            if (!file || readOnly || isDisabled) return
            event.preventDefault()
            event.stopPropagation()
            void tools.ready().then((actions) => actions.open(file))
          }}
        >
          {toolbar !== false && (
            <div className="lkje-bar">
              {Tools && <Tools.Toolbar state={state} tools={toolbar} actions={tools} boxId={id} />}
            </div>
          )}
          <div
            className="lkje-box"
            style={
              isAuto
                ? { maxHeight: toCss(maxHeight), ...(isFull && { height: `${editor.contentHeight}px` }) }
                : height === '100%'
                  ? { flexBasis: 0 }
                  : { height: toCss(height) }
            }
          >
            <textarea
              ref={setArea}
              id={id}
              className="lkje-area"
              name={name}
              // A large text is only begun here: the rest would freeze the textarea and comes with the full editor.
              defaultValue={toView(
                initial.length > LARGE_LENGTH && full ? initial.slice(0, PREVIEW_LENGTH) : initial,
              )}
              aria-label={label === undefined ? (props['aria-label'] ?? say.name) : props['aria-label']}
              aria-describedby={describedBy}
              aria-invalid={isInvalid}
              aria-hidden={isFull ? true : undefined}
              tabIndex={isFull ? -1 : undefined}
              readOnly={readOnly || isPreview}
              disabled={props.disabled}
              required={required}
              placeholder={props.placeholder}
              spellCheck={false}
              autoCapitalize="off"
              autoCorrect="off"
              autoComplete="off"
              wrap={view.isWrapped ? 'soft' : 'off'}
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
            {Full && (
              <FullBoundary key={editor.attempt} onError={editor.fail}>
                <Full
                  state={state}
                  area={area}
                  look={look}
                  label={props['aria-label'] ?? (typeof label === 'string' ? label : undefined) ?? say.name}
                  describedBy={describedBy}
                  isAuto={isAuto}
                  isReadOnly={readOnly || isDisabled}
                  isDisabled={isDisabled}
                  isRequired={required}
                  tabSize={tabSize}
                  schema={props.schema}
                  original={original}
                  placeholder={props.placeholder}
                  onContentHeight={editor.setContentHeight}
                  onFocus={props.onFocus}
                  onBlur={props.onBlur}
                />
              </FullBoundary>
            )}
          </div>
          {view.full === 'failed' && full && (
            <div className="lkje-note" role="status">
              {say.failed}
              <button type="button" className="lkje-plain" onClick={editor.retry}>
                {say.retry}
              </button>
            </div>
          )}
          {isPreview && <div className="lkje-note">{say.preview}</div>}
        </div>
        <div className="lkje-status">
          <div id={statusId} role="status">
            {Tools && <Tools.Status state={state} hasSchema={props.schema !== undefined} />}
          </div>
          {view.full === 'loading' && props.loadingFallback !== null && (
            <div aria-hidden={props.loadingFallback === undefined}>
              {props.loadingFallback ?? say.loading}
            </div>
          )}
        </div>
        {Tools && <Tools.Problems state={state} actions={tools} boxId={id} />}
      </div>
    )
  })
