// Which tools the toolbar has and what they are called.

/** What the buttons say, in English; in this order. */
export const TOOL_NAMES = {
  format: 'Format',
  compact: 'Compact',
  sortKeys: 'Sort keys',
  repair: 'Repair',
  undo: 'Undo',
  redo: 'Redo',
  find: 'Find',
  wrap: 'Wrap',
  compare: 'Compare',
  copy: 'Copy',
  download: 'Download',
  open: 'Open…',
  fullScreen: 'Full screen',
}

/** A button of the toolbar. */
export type EditorTool = keyof typeof TOOL_NAMES

/** A thin line stands before these. */
const STARTS_GROUP = new Set<EditorTool>(['undo', 'find', 'copy'])

/** The tools of one toolbar, and whether each begins a group. */
export function listTools(
  wanted: boolean | readonly EditorTool[] | undefined,
  canCompare: boolean,
): (readonly [tool: EditorTool, startsGroup: boolean])[] {
  const all = Object.keys(TOOL_NAMES) as EditorTool[]
  const shown = (Array.isArray(wanted) ? (wanted as EditorTool[]) : all).filter(
    (tool) => tool !== 'compare' || canCompare,
  )
  return shown.map((tool) => [tool, STARTS_GROUP.has(tool) && tool !== shown[0]])
}
