// Keeps the place of the toolbar until it arrives, however many lines it takes: the text under it never moves.
import type { ReactElement } from 'react'
import { type EditorMessages, withTexts } from './messages.ts'
import { type EditorTool, listTools, TOOL_NAMES } from './toolNames.ts'

interface ToolbarPlaceProps {
  readonly tools: boolean | readonly EditorTool[]
  readonly canCompare: boolean
  readonly messages: EditorMessages | undefined
}

export function ToolbarPlace({ tools, canCompare, messages }: ToolbarPlaceProps): ReactElement {
  const say = withTexts(TOOL_NAMES, messages)
  return (
    // The names are no texts of the page: nobody finds, reads or copies them here.
    <div className="lkje-place" aria-hidden="true">
      {listTools(tools, canCompare).map(([tool, startsGroup]) => (
        <span key={tool} data-group={startsGroup} data-name={say[tool]} />
      ))}
    </div>
  )
}
