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
}

/** A button of the toolbar. */
export type EditorTool = keyof typeof TOOL_NAMES
