// The English texts of the parts that load later: toolbar, status line, full editor.

/** The labels of the buttons, in their order. */
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

/** Texts of the toolbar, the status line and the full editor. */
export const TOOL_MESSAGES = {
  toolbar: 'JSON actions',
  more: 'More',
  empty: 'Empty',
  valid: 'Valid JSON',
  checking: 'Checking…',
  tooLarge: 'Too large to check; it can still be edited, saved and downloaded.',
  problems: 'Problems',
  moreProblems: (count: number, orMore = false): string => `and ${count}${orMore ? '+' : ''} more`,
  countErrors: (count: number, orMore = false): string =>
    count === 1 ? '1 error' : `${count}${orMore ? '+' : ''} errors`,
  countWarnings: (count: number): string => (count === 1 ? '1 warning' : `${count} warnings`),
  place: (line: number, column: number) => `Line ${line}, column ${column}`,
  working: (action: string) => `${action}: working…`,
  reading: 'Reading the file…',
  done: (action: string) => `${action}: done`,
  unchanged: (action: string) => `${action}: nothing to change`,
  fixFirst: 'Correct the errors first; the text was not changed.',
  beyondRepair: 'This cannot be repaired automatically; the text was not changed.',
  cannotLoadCheck: 'the schema validator could not be loaded',
  cannotLoad: 'This tool could not be loaded; the text was not changed.',
  tooDeep: 'The result would be too large; the text was not changed.',
  changedMeanwhile: 'The text was changed meanwhile; nothing was replaced.',
  copied: 'Copied',
  cannotCopy: 'Copying was refused by the browser.',
  opened: (name: string) => `Opened ${name}`,
  notText: (name: string) => `${name} is not a UTF-8 or UTF-16 text; nothing was replaced.`,
  fileTooLarge: (name: string) => `${name} is too large to open here.`,
  cannotRead: (name: string) => `${name} could not be read.`,
  large: 'Large text: colours, folding and wrapping are off.',
  forbidden: (policy: string): string =>
    `The page's Content Security Policy keeps the full editor out: it would need ${policy}. You can go on here: nothing is lost.`,
  elsewhere: "The full editor only works in the page's own document. You can go on here: nothing is lost.",
  oneFile: 'One file at a time; nothing was replaced.',
  tabMoves: 'Tab now leaves the editor.',
  keyboardHelp: 'Press Escape, then Tab, to leave the editor.',
  original: 'Saved text',
}
