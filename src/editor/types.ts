// The words the editor speaks to its user's code: a fault, a verdict, the handle of the ref.

/** Stable codes of everything the check can find; switch on these, never on the message. */
export type JsonFaultCode =
  | 'byte-order-mark'
  | 'comment'
  | 'control-character'
  | 'duplicate-key'
  | 'empty'
  | 'extra-text'
  | 'invalid-escape'
  | 'invalid-number'
  | 'invalid-word'
  | 'mismatched-bracket'
  | 'missing-bracket'
  | 'missing-colon'
  | 'missing-comma'
  | 'missing-key'
  | 'missing-value'
  | 'schema'
  | 'too-large'
  | 'trailing-comma'
  | 'unclosed-string'
  | 'unescaped-quote'
  | 'unexpected-bracket'
  | 'unexpected-character'
  | 'unexpected-end'
  | 'unquoted-key'
  | 'unsafe-number'
  | 'wrong-quotes'

/** One thing that is wrong (an error) or doubtful (a warning), where it is, and why in one sentence. */
export interface JsonFault {
  /** Stable; switch on this. */
  readonly code: JsonFaultCode
  /** Why, in one sentence, in the language of `messages`. */
  readonly message: string
  /** From 1; `\n`, `\r\n` and `\r` each end a line. */
  readonly line: number
  /** From 1, in UTF-16 units. */
  readonly column: number
  /** From 0, in UTF-16 units of the text as it is, byte order mark and both halves of CRLF counted. */
  readonly offset: number
  /** How much of the text it covers, in UTF-16 units. */
  readonly length: number
  /** 'error': this is not JSON, or not as the schema wants it; 'warning': it is, and doubtful. */
  readonly severity: 'error' | 'warning'
}

/** What the scanner sees: no sentence and no line yet, so that it stays small and quick in a worker. */
export interface RawFault {
  readonly code: JsonFaultCode
  readonly offset: number
  readonly length: number
  /** What the sentence quotes: a key, a word, a character. */
  readonly detail?: string
  /** How many brackets are open at the end. */
  readonly count?: number
  /** Not wrong, only doubtful, although its code says otherwise. */
  readonly isWarning?: boolean
  /** Where the thing it belongs to stands: the opening bracket, the first use of a key. */
  readonly related?: number
}

/** Makes the sentence of a fault; `related` is the line of the thing it belongs to. */
export type FaultSentence = (fault: { detail: string; count: number; related: number }) => string

/** The text actions of the toolbar, the keyboard and the ref. */
export type TextAction = 'format' | 'compact' | 'sortKeys' | 'repair'
