// The text beside another one, usually the saved one: the right side is the very text that is edited.
import { DiffEditor } from '@monaco-editor/react'
import type { editor } from 'monaco-editor/editor'
import { type ReactElement, useEffect, useMemo, useState } from 'react'
import type { EditorState } from '../editorState.ts'
import { toView } from '../lineEnds.ts'
import { describeTextbox, takeKeys, type TextboxDescription } from './behaviour.ts'
import type { FullDocument } from './fullDocument.ts'
import { LANGUAGE } from './language.ts'
import type { Monaco } from './monacoModule.ts'

export interface CompareProps {
  readonly document: FullDocument
  readonly state: EditorState
  readonly main: editor.IStandaloneCodeEditor
  readonly original: string
  readonly look: string
  /** What the text to compare with is called. */
  readonly originalLabel: string
  readonly options: editor.IStandaloneEditorConstructionOptions
  readonly description: TextboxDescription
}

/**
 * Monaco makes its hovers with the means of the newest editor, even when that one is gone: then suggestions and hovers of
 * all others would throw. A newer one, gone at once, that lives on the means of the page puts it right.
 */
function renewHovers(monaco: Monaco): void {
  monaco.editor.create(window.document.createElement('div'), { model: null }).dispose()
}

export function Compare({
  document,
  state,
  main,
  original,
  look,
  originalLabel,
  options,
  description,
}: CompareProps): ReactElement {
  const diffOptions = useMemo(
    () => ({
      ...options,
      originalEditable: false,
      renderSideBySideInlineBreakpoint: 600,
      hideUnchangedRegions: { enabled: true },
      // Its menu outlives the editor it belongs to, and throws when it is asked then.
      renderGutterMenu: false,
      // Both sides are named from their first moment on.
      originalAriaLabel: originalLabel,
      ...(options.ariaLabel !== undefined && { modifiedAriaLabel: options.ariaLabel }),
    }),
    [options, originalLabel],
  )
  const [created, setCreated] = useState<editor.IStandaloneDiffEditor>()
  useEffect(() => {
    if (!created) return undefined
    const right = created.getModifiedEditor()
    const names = [
      [created.getOriginalEditor(), originalLabel],
      [right, options.ariaLabel ?? ''],
    ] as const
    // The comparison takes the names of its sides away whenever it changes an option of its own.
    const listeners = names.map(([side, ariaLabel]) => {
      const name = () => {
        if (side.getRawOptions().ariaLabel !== ariaLabel) side.updateOptions({ ariaLabel })
      }
      name()
      return side.onDidChangeConfiguration(name)
    })
    const describe = () => describeTextbox(right, description)
    describe()
    listeners.push(right.onDidChangeModel(describe))
    return () => {
      for (const listener of listeners) listener.dispose()
    }
  }, [created, diffOptions, options, originalLabel, description])
  const { monaco } = document
  useEffect(
    () => (created ? takeKeys(created.getModifiedEditor(), monaco, state) : undefined),
    [created, monaco, state],
  )
  const text = toView(original)
  useEffect(() => {
    const shownOriginal = created?.getModel()?.original
    if (shownOriginal && shownOriginal.getValue() !== text) shownOriginal.setValue(text)
  }, [created, text])
  useEffect(
    () => () => {
      // After the binding's own farewell: a comparison that is still being made throws when its model has gone.
      queueMicrotask(() => {
        monaco.editor.getModel(document.originalUri)?.setValue('')
        renewHovers(monaco)
      })
      // While comparing, "go to" and the caret belong to the right side; afterwards to the editor again.
      document.setEditor(main)
      main.focus()
    },
    [document, main, monaco],
  )
  return (
    <div className="lkje-compare">
      <DiffEditor
        original={text}
        language={LANGUAGE}
        originalModelPath={document.originalUri.toString()}
        keepCurrentOriginalModel
        modifiedModelPath={document.model().uri.toString()}
        keepCurrentModifiedModel
        theme={look}
        loading={null}
        options={diffOptions}
        onMount={(shown) => {
          setCreated(shown)
          const right = shown.getModifiedEditor()
          document.setEditor(right)
          right.focus()
        }}
      />
    </div>
  )
}
