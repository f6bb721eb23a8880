// The text beside another one, usually the saved one: the right side is the very text that is edited.
import type { editor } from 'monaco-editor/editor'
import { type ReactElement, useEffect, useMemo, useRef, useState } from 'react'
import type { EditorState } from '../editorState.ts'
import { toView } from '../lineEnds.ts'
import { describeTextbox, ending, leaveByTab, type TextboxDescription } from './behaviour.ts'
import type { FullDocument } from './fullDocument.ts'

export interface CompareProps {
  readonly document: FullDocument
  readonly state: EditorState
  readonly main: editor.IStandaloneCodeEditor
  readonly original: string
  /** What the text to compare with is called. */
  readonly originalLabel: string
  readonly options: editor.IStandaloneEditorConstructionOptions
  readonly description: TextboxDescription
}

/** Monaco's types leave out whether the differences of both texts, as they are now, have been found. */
type Pair = editor.IDiffEditorViewModel & { readonly isDiffUpToDate: { get: () => boolean } }

export function Compare(props: CompareProps): ReactElement {
  const { document, state, main, originalLabel, options, description } = props
  const diffOptions = useMemo(
    () => ({
      ...options,
      // Room for + and − between the number of a line and its text.
      lineDecorationsWidth: 18,
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
  const { monaco } = document
  const box = useRef<HTMLDivElement>(null)
  const text = toView(props.original)
  const newest = useRef({ diffOptions, text })
  const [created, setCreated] = useState<editor.IStandaloneDiffEditor>()
  useEffect(() => {
    const shown = monaco.editor.createDiffEditor(box.current!, {
      automaticLayout: true,
      ...newest.current.diffOptions,
    })
    const saved = document.original(newest.current.text)
    // A pair that Monaco makes by itself is never disposed: it would go on finding differences for as long as the models live.
    let pair: Pair | undefined
    const showPair = () => {
      const former = pair
      pair = shown.createViewModel({ original: saved, modified: document.model }) as Pair
      shown.setModel(pair)
      former?.dispose()
    }
    // Monaco throws when it has found differences in lines that have gone since: then the search starts again with a new pair.
    const onShorter = ({ changes }: editor.IModelContentChangedEvent) => {
      if (pair?.isDiffUpToDate.get() !== false) return
      const isShorter = changes.some(
        ({ range, text: added }) => added.split('\n').length <= range.endLineNumber - range.startLineNumber,
      )
      if (isShorter) queueMicrotask(() => pair && showPair())
    }
    const right = shown.getModifiedEditor()
    const stopWatching = ending(
      // Before Monaco listens: it takes every change for the beginning of another search.
      saved.onDidChangeContent(onShorter),
      document.model.onDidChangeContent(onShorter),
      leaveByTab(right, state),
    )
    showPair()
    setCreated(shown)
    document.setEditor(right)
    right.focus()
    return () => {
      setCreated(undefined)
      stopWatching()
      shown.setModel(null)
      pair?.dispose()
      pair = undefined
      shown.dispose()
      // It is the document's, and would be twice as much memory for nothing.
      saved.setValue('')
      // Monaco makes its hovers with the means of the newest editor, even when that one is gone: then suggestions and hovers of
      // all others would throw. A newer one, gone at once, that lives on the means of the page puts it right.
      monaco.editor.create(window.document.createElement('div'), { model: null }).dispose()
      // While comparing, "go to" and the caret belong to the right side; afterwards to the editor again.
      document.setEditor(main)
      main.focus()
    }
  }, [document, main, monaco, state])
  useEffect(() => {
    created?.updateOptions(diffOptions)
    if (created && newest.current.text !== text) document.original(text)
    newest.current = { diffOptions, text }
  }, [created, diffOptions, document, text])
  useEffect(() => {
    if (!created) return undefined
    const right = created.getModifiedEditor()
    // The comparison takes the names of its sides away whenever it changes an option of its own.
    const keepName = (side: editor.ICodeEditor, ariaLabel = '') => {
      const name = () => {
        if (side.getRawOptions().ariaLabel !== ariaLabel) side.updateOptions({ ariaLabel })
      }
      name()
      return side.onDidChangeConfiguration(name)
    }
    describeTextbox(right, description)
    return ending(keepName(created.getOriginalEditor(), originalLabel), keepName(right, options.ariaLabel))
  }, [created, diffOptions, options, originalLabel, description])
  return <div ref={box} className="lkje-compare" />
}
