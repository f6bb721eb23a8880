// The editor's own tools in Monaco's context menu and command palette.
import type { editor } from 'monaco-editor/editor'
import type { EditorState } from '../editorState.ts'
import { withTexts } from '../messages.ts'
import type { Actions, ActionsSource } from '../tools/actions.ts'
import { TOOL_MESSAGES } from '../tools/toolMessages.ts'
import { TOOL_NAMES } from '../toolNames.ts'
import { ending } from './behaviour.ts'
import type { Monaco } from './language.ts'

const IS_MAC = navigator.platform.startsWith('Mac')

export function addCommands(
  shown: editor.IStandaloneCodeEditor,
  { KeyMod, KeyCode }: Monaco,
  state: EditorState,
  actions: ActionsSource,
): () => void {
  const say = withTexts({ ...TOOL_NAMES, ...TOOL_MESSAGES }, state.inputs().messages)
  const withActions = (act: (ready: Actions) => unknown) => async () => {
    await act(await actions.ready())
  }
  const changing = (id: 'format' | 'compact' | 'sortKeys' | 'repair', key: number) => ({
    id,
    // On a Mac these keys write letters; the editor around takes those that do not.
    keybindings: IS_MAC ? [] : [KeyMod.Shift | KeyMod.Alt | key],
    // Not in the fields of Monaco's search.
    keybindingContext: 'editorTextFocus',
    precondition: '!editorReadonly',
    run: withActions((ready) => ready.run(id)),
  })
  // The keys are only shown here: the whole editor listens to them, and the textarea has them too.
  const commands: readonly Omit<editor.IActionDescriptor, 'label'>[] = [
    changing('format', KeyCode.KeyF),
    changing('compact', KeyCode.KeyC),
    changing('sortKeys', KeyCode.KeyS),
    changing('repair', KeyCode.KeyR),
    { id: 'nextFault', keybindings: [KeyCode.F8], run: withActions((ready) => ready.goToNext(1)) },
  ]
  const compare = { id: 'compare', run: () => state.show({ isComparing: !state.view().isComparing }) }
  const offered = state.inputs().original === undefined ? commands : [...commands, compare]
  const added = offered.map((command, order) =>
    shown.addAction({
      ...command,
      id: `latchkey.${command.id}`,
      label: say[command.id as 'format'],
      contextMenuGroupId: '2_json',
      contextMenuOrder: order,
    }),
  )
  return ending(...added)
}
