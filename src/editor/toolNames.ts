// Which tools the toolbar has and what they are called; known from the first moment, so that its place can be kept.

/** A button of the toolbar. */
export type EditorTool =
  | 'format'
  | 'compact'
  | 'sortKeys'
  | 'repair'
  | 'undo'
  | 'redo'
  | 'find'
  | 'wrap'
  | 'compare'
  | 'copy'
  | 'download'
  | 'open'

/** Every tool, in order. */
const TOOLS: readonly EditorTool[] = [
  'format',
  'compact',
  'sortKeys',
  'repair',
  'undo',
  'redo',
  'find',
  'wrap',
  'compare',
  'copy',
  'download',
  'open',
]

/** A thin line stands before these. */
const STARTS_GROUP = new Set<EditorTool>(['undo', 'find', 'copy'])

/** What the buttons say, in English. */
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
}

/** The tools of one toolbar, and whether each begins a group. */
export function listTools(
  wanted: boolean | readonly EditorTool[],
  canCompare: boolean,
): (readonly [tool: EditorTool, startsGroup: boolean])[] {
  const shown = (Array.isArray(wanted) ? (wanted as EditorTool[]) : TOOLS).filter(
    (tool) => tool !== 'compare' || canCompare,
  )
  return shown.map((tool) => [tool, STARTS_GROUP.has(tool) && tool !== shown[0]])
}
