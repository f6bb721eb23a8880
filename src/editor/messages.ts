// What the editor says outside of faults, in English; the `messages` prop replaces any line.
import type { FaultSentence, JsonFaultCode } from './types.ts'

/** Said by what is there at once; the rest of the texts comes with the part that shows it. */
export const SHELL_MESSAGES = {
  name: 'JSON',
  required: 'required',
  loading: 'The full editor is loading; you can type already.',
  failed: 'The full editor could not be loaded. You can go on here: nothing is lost.',
  retry: 'Load the editor again',
  preview: 'This is the beginning of a large text. All of it opens in the full editor.',
}

/** Said by the toolbar, the status line and the full editor. */
export const TOOL_MESSAGES = {
  toolbar: 'JSON actions',
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
  empty: 'Empty',
  valid: 'Valid JSON',
  checking: 'Checking…',
  tooLarge: 'Too large to check; it can still be edited, saved and downloaded.',
  cannotCheck: 'The syntax check could not be loaded; the text can still be edited.',
  problems: 'Problems',
  moreProblems: (count: number) => `and ${count} more`,
  countErrors: (count: number) => (count === 1 ? '1 error' : `${count} errors`),
  countWarnings: (count: number) => (count === 1 ? '1 warning' : `${count} warnings`),
  place: (line: number, column: number) => `Line ${line}, column ${column}`,
  working: (action: string) => `${action}: working…`,
  reading: (percent: number) => `Reading the file: ${percent} %`,
  done: (action: string) => `${action}: done`,
  unchanged: (action: string) => `${action}: nothing to change`,
  fixFirst: 'Correct the errors first; the text was not changed.',
  beyondRepair: 'This cannot be repaired automatically; the text was not changed.',
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
  tabMoves: 'Tab now leaves the editor.',
  tabIndents: 'Tab now indents.',
  keyboardHelp: 'Press Escape, then Tab, to leave the editor.',
  findNext: 'Find next',
  replaceWith: 'Replace with',
  replaceAll: 'Replace all',
  close: 'Close',
  notFound: 'Not found',
  replaced: (count: number) => (count === 1 ? '1 place replaced' : `${count} places replaced`),
  original: 'Saved text',
}

/** Any of the editor's texts, and the sentence of any fault. */
export type EditorMessages = Partial<typeof SHELL_MESSAGES & typeof TOOL_MESSAGES> & {
  readonly faults?: Partial<Record<JsonFaultCode, FaultSentence>>
}

/** The texts with the replaced ones in place; a text that is given as `undefined` is not a replacement. */
export function withTexts<Texts extends object>(texts: Texts, replaced: EditorMessages | undefined): Texts {
  const given = Object.entries(replaced ?? {}).filter(([key, text]) => key in texts && text !== undefined)
  return { ...texts, ...Object.fromEntries(given) }
}
