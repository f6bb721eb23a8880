// Compares the text with another one, usually the saved one; the right side can be edited.
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
  /** The label of the text to compare with. */
  readonly originalLabel: string
  readonly options: editor.IStandaloneEditorConstructionOptions
  readonly description: TextboxDescription
}

/** Monaco's types omit whether the differences of the current texts are complete. */
type Pair = editor.IDiffEditorViewModel & { readonly isDiffUpToDate: { get: () => boolean } }

export function Compare(props: CompareProps): ReactElement {
  const { document, state, main, originalLabel, options, description } = props
  const diffOptions = useMemo(
    () => ({
      ...options,
      // Room for + and − between line number and text.
      lineDecorationsWidth: 18,
      renderSideBySideInlineBreakpoint: 600,
      hideUnchangedRegions: { enabled: true },
      // The menu outlives its editor, and throws if it is used then.
      renderGutterMenu: false,
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
    // Monaco never disposes a view model that it creates itself: it would compute differences as long as the models live.
    let pair: Pair | undefined
    const showPair = () => {
      const previous = pair
      pair = shown.createViewModel({ original: saved, modified: document.model }) as Pair
      shown.setModel(pair)
      previous?.dispose()
    }
    // Monaco throws if it finds differences in lines that are deleted by then: start again with a new view model.
    const onShorter = ({ changes }: editor.IModelContentChangedEvent) => {
      if (pair?.isDiffUpToDate.get() !== false) return
      const isShorter = changes.some(
        ({ range, text: added }) => added.split('\n').length <= range.endLineNumber - range.startLineNumber,
      )
      if (isShorter) queueMicrotask(() => pair && showPair())
    }
    const right = shown.getModifiedEditor()
    const stopWatching = ending(
      // Registered before Monaco's own listener, which marks the differences as outdated at every change.
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
      // The model belongs to the document; its text would take memory for nothing.
      saved.setValue('')
      // Monaco creates hovers and suggestions with the services of the newest editor, even if that one is gone: those of all
      // others would then throw. A newer editor with the page's own services, disposed at once, prevents it.
      monaco.editor.create(window.document.createElement('div'), { model: null }).dispose()
      // While comparing, the caret and "go to" belong to the right side; now to the editor again.
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
    // The diff editor clears the names of its sides whenever it changes an option itself.
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
