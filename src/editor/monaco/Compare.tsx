// The text beside another one, usually the saved one: the right side is the very text that is edited.
import { DiffEditor } from '@monaco-editor/react'
import type { editor } from 'monaco-editor/editor'
import { type ReactElement, useEffect, useMemo, useState } from 'react'
import { toView } from '../lineEnds.ts'
import type { FullDocument } from './fullDocument.ts'
import { LANGUAGE } from './language.ts'

export interface CompareProps {
  readonly document: FullDocument
  readonly main: editor.IStandaloneCodeEditor
  readonly original: string
  readonly look: string
  /** What the text to compare with is called. */
  readonly originalLabel: string
  readonly options: editor.IStandaloneEditorConstructionOptions
}

export function Compare({
  document,
  main,
  original,
  look,
  originalLabel,
  options,
}: CompareProps): ReactElement {
  const diffOptions = useMemo(
    () => ({
      ...options,
      originalEditable: false,
      renderSideBySideInlineBreakpoint: 600,
      hideUnchangedRegions: { enabled: true },
    }),
    [options],
  )
  const [created, setCreated] = useState<editor.IStandaloneDiffEditor>()
  useEffect(() => {
    // After the binding has set the options, which know no names for the two sides.
    created?.getOriginalEditor().updateOptions({ ariaLabel: originalLabel })
    created?.getModifiedEditor().updateOptions({ ariaLabel: options.ariaLabel ?? '' })
  }, [created, diffOptions, options, originalLabel])
  const { monaco, model } = document
  const originalPath = `${model.uri.toString()}.original`
  useEffect(() => {
    return () => {
      // The binding would free this model before the editor that shows it, which Monaco does not forgive.
      queueMicrotask(() => monaco.editor.getModel(monaco.Uri.parse(originalPath))?.dispose())
      // While comparing, "go to" and the caret belong to the right side; afterwards to the editor again.
      document.setEditor(main)
      main.focus()
    }
  }, [document, main, monaco, originalPath])
  return (
    <div className="lkje-compare">
      <DiffEditor
        original={toView(original)}
        language={LANGUAGE}
        originalModelPath={originalPath}
        keepCurrentOriginalModel
        modifiedModelPath={model.uri.toString()}
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
