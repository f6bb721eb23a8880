// What the later parts say, in English: the toolbar, the status line, the full editor.
import { MOST_FAULTS } from '../limits.ts'

/** Said by the toolbar, the status line and the full editor; the names of the tools are known before. */
export const TOOL_MESSAGES = {
  toolbar: 'JSON actions',
  more: 'More',
  empty: 'Empty',
  valid: 'Valid JSON',
  checking: 'Checking…',
  tooLarge: 'Too large to check; it can still be edited, saved and downloaded.',
  problems: 'Problems',
  moreProblems: (count: number, orMore = false): string => `and ${count}${orMore ? '+' : ''} more`,
  countErrors: (count: number): string =>
    count === 1 ? '1 error' : `${count < MOST_FAULTS ? count : `${MOST_FAULTS}+`} errors`,
  countWarnings: (count: number): string => (count === 1 ? '1 warning' : `${count} warnings`),
  place: (line: number, column: number) => `Line ${line}, column ${column}`,
  working: (action: string) => `${action}: working…`,
  reading: (percent: number) => `Reading the file: ${percent} %`,
  changes: (count: number): string => (count === 1 ? '1 change' : `${count} changes`),
  line: (line: number) => `Line ${line}`,
  apply: 'Apply',
  cancel: 'Cancel',
  done: (action: string) => `${action}: done`,
  unchanged: (action: string) => `${action}: nothing to change`,
  fixFirst: 'Correct the errors first; the text was not changed.',
  beyondRepair: 'This cannot be repaired automatically; the text was not changed.',
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
  schemaOff: 'Large text: the schema is not checked.',
  schemaWaits: 'The schema is checked in the full editor only.',
  forbidden: (policy: string): string =>
    `The page's Content Security Policy keeps the full editor out: it would need ${policy}. You can go on here: nothing is lost.`,
  tabMoves: 'Tab now leaves the editor.',
  keyboardHelp: 'Press Escape, then Tab, to leave the editor.',
  findNext: 'Find next',
  replaceWith: 'Replace with',
  replaceAll: 'Replace all',
  close: 'Close',
  notFound: 'Not found',
  replaced: (count: number): string => (count === 1 ? '1 place replaced' : `${count} places replaced`),
  original: 'Saved text',
  fix: (removed: string, inserted: string): string => {
    if (removed === '') return `Insert ${inserted}`
    return inserted === '' ? `Remove ${removed}` : `Replace ${removed} with ${inserted}`
  },
  doneInPart: (action: string) => `${action}: done. What is broken stays as it is.`,
  copyPath: 'Copy path',
  copyValue: 'Copy value',
  nextFault: 'Next problem',
  noValue: 'There is no value here; nothing was copied.',
  caret: (line: number, column: number, selected: number): string =>
    `Line ${line}, column ${column}${selected > 0 ? ` (${selected} selected)` : ''}`,
}
