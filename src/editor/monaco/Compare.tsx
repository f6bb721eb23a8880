// The text beside another one, usually the saved one: the right side is the very text that is edited.
import type { editor } from 'monaco-editor/editor'
import { type ReactElement, useEffect, useMemo, useRef, useState } from 'react'
import type { EditorState } from '../editorState.ts'
import { PROGRESS_AFTER_MS } from '../limits.ts'
import { toView } from '../lineEnds.ts'
import { withTexts } from '../messages.ts'
import { TOOL_NAMES } from '../toolNames.ts'
import type { ActionsSource } from '../tools/actions.ts'
import { TOOL_MESSAGES } from '../tools/toolMessages.ts'
import { describeTextbox, ending, takeKeys, type TextboxDescription } from './behaviour.ts'
import { addCommands } from './commands.ts'
import type { FullDocument } from './fullDocument.ts'
import type { Monaco } from './language.ts'
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

/** Says that two texts are being compared, and where they differ and no difference is shown: they are too large. */
function tellProgress(shown: editor.IStandaloneDiffEditor, state: EditorState): () => void {
  const { uncompared, working, compare } = withTexts(
    { ...TOOL_NAMES, ...TOOL_MESSAGES },
    state.inputs().messages,
  )
  const timers = [
    setTimeout(() => state.show({ progress: { label: working(compare) } }), PROGRESS_AFTER_MS),
    setTimeout(() => tell(), GIVEN_UP_AFTER_MS),
  ]
  const end = () => {
    if (timers.length > 0) state.show({ progress: undefined })
    for (const timer of timers.splice(0)) clearTimeout(timer)
  }
  const tell = () => {
    end()
    const pair = shown.getModel()
    const isUnknown = pair && !shown.getLineChanges()?.length && !isSame(pair.original, pair.modified)
    if (isUnknown) state.show({ note: uncompared })
    else if (state.view().note === uncompared) state.show({ note: '' })
  }
  const listener = shown.onDidUpdateDiff(tell)
  return () => {
    end()
    if (state.view().note === uncompared) state.show({ note: '' })
    listener.dispose()
  }
}

/** Joining two large texts to compare them takes longer than looking at their lengths. */
const isSame = (one: editor.ITextModel, other: editor.ITextModel) =>
  one.getValueLength() === other.getValueLength() && one.getValue() === other.getValue()

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
    const saved = document.original(newest.current.text)
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
    const describe = () => describeTextbox(right, description)
    describe()
    return ending(
      keepName(created.getOriginalEditor(), originalLabel),
      keepName(right, options.ariaLabel),
      right.onDidChangeModel(describe),
    )
  }, [created, diffOptions, options, originalLabel, description])
  useEffect(() => {
    if (!created) return undefined
    const right = created.getModifiedEditor()
    return ending(takeKeys(right, monaco, state), addCommands(right, monaco, state, actions))
  }, [created, monaco, state, actions])
  useEffect(() => (created ? tellProgress(created, state) : undefined), [created, state])
  return <div ref={box} className="lkje-compare" />
}
