// The text beside another one, usually the saved one: the right side is the very text that is edited.
import type { editor } from 'monaco-editor/editor'
import { type ReactElement, useEffect, useMemo, useRef, useState } from 'react'
import type { EditorState } from '../editorState.ts'
import { toView } from '../lineEnds.ts'
import { withTexts } from '../messages.ts'
import type { ActionsSource } from '../tools/actions.ts'
import { TOOL_MESSAGES } from '../tools/toolMessages.ts'
import { describeTextbox, takeKeys, type TextboxDescription } from './behaviour.ts'
import { addCommands } from './commands.ts'
import type { FullDocument } from './fullDocument.ts'
import { LANGUAGE, type Monaco } from './language.ts'
import { showPair } from './modelChain.ts'

export interface CompareProps {
  readonly document: FullDocument
  readonly state: EditorState
  readonly main: editor.IStandaloneCodeEditor
  readonly original: string
  /** What the text to compare with is called. */
  readonly originalLabel: string
  readonly options: editor.IStandaloneEditorConstructionOptions
  readonly description: TextboxDescription
  readonly actions: ActionsSource
}

/**
 * Monaco makes its hovers with the means of the newest editor, even when that one is gone: then suggestions and hovers of
 * all others would throw. A newer one, gone at once, that lives on the means of the page puts it right.
 */
function renewHovers(monaco: Monaco): void {
  monaco.editor.create(window.document.createElement('div'), { model: null }).dispose()
}

/** Monaco gives up after 5 s, and says nothing. */
const GIVEN_UP_AFTER_MS = 10_000

/** Says so where two texts differ and no difference is shown: they are too large. */
function tellUncompared(shown: editor.IStandaloneDiffEditor, state: EditorState): () => void {
  const { uncompared } = withTexts(TOOL_MESSAGES, state.inputs().messages)
  const tell = () => {
    const pair = shown.getModel()
    const hasFound = (shown.getLineChanges()?.length ?? 0) > 0
    const isSame = !pair || pair.original.getValue() === pair.modified.getValue()
    if (!hasFound && !isSame) state.show({ note: uncompared })
    else if (state.view().note === uncompared) state.show({ note: '' })
  }
  const timer = setTimeout(tell, GIVEN_UP_AFTER_MS)
  const listener = shown.onDidUpdateDiff(() => {
    clearTimeout(timer)
    tell()
  })
  return () => {
    clearTimeout(timer)
    listener.dispose()
  }
}

export function Compare(props: CompareProps): ReactElement {
  const { document, state, main, originalLabel, options, description, actions } = props
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
    const saved =
      monaco.editor.getModel(document.originalUri) ??
      monaco.editor.createModel('', LANGUAGE, document.originalUri)
    saved.setValue(newest.current.text)
    showPair(shown, { original: saved, modified: document.model() })
    setCreated(shown)
    const right = shown.getModifiedEditor()
    document.setEditor(right)
    right.focus()
    return () => {
      setCreated(undefined)
      showPair(shown, undefined)
      shown.dispose()
      // It is the document's, and would be twice as much memory for nothing.
      saved.setValue('')
      renewHovers(monaco)
      // While comparing, "go to" and the caret belong to the right side; afterwards to the editor again.
      document.setEditor(main)
      main.focus()
    }
  }, [document, main, monaco])
  useEffect(() => {
    newest.current = { diffOptions, text }
    created?.updateOptions(diffOptions)
    const saved = created?.getModel()?.original
    if (saved && saved.getValue() !== text) saved.setValue(text)
  }, [created, diffOptions, text])
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
    const describe = () => describeTextbox(right, description)
    describe()
    const listeners = [
      keepName(created.getOriginalEditor(), originalLabel),
      keepName(right, options.ariaLabel),
      right.onDidChangeModel(describe),
    ]
    return () => {
      for (const listener of listeners) listener.dispose()
    }
  }, [created, diffOptions, options, originalLabel, description])
  useEffect(() => {
    if (!created) return undefined
    const right = created.getModifiedEditor()
    const stops = [takeKeys(right, monaco, state), addCommands(right, monaco, state, actions)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [created, monaco, state, actions])
  useEffect(() => (created ? tellUncompared(created, state) : undefined), [created, state])
  return <div ref={box} className="lkje-compare" />
}
