// The words the editor speaks to its user's code: a fault, a verdict, the handle of the ref.

/** Stable codes of everything the check can find; switch on these, never on the message. */
export type JsonFaultCode =
  | 'byte-order-mark'
  | 'comment'
  | 'control-character'
  | 'duplicate-key'
  | 'empty'
  | 'extra-text'
  | 'incomplete'
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
  | 'unexpected-word'
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
  /** Of a `schema` fault: the keyword that the text does not keep, such as `required`. */
  readonly keyword?: string
  /** Of a `schema` fault: where in the text's value, as a JSON Pointer (RFC 6901). */
  readonly path?: string
  /** Of a `schema` fault: where in the schema the keyword was reached, over its references, as a JSON Pointer. */
  readonly schemaPath?: string
}

/**
 * The keywords of a schema that a `schema` fault can name. Keywords that only lead to others, such as `allOf` and `$ref`, are
 * not among them: the fault names what is wrong further in. `false` is a schema that is nothing but `false`.
 */
export type SchemaKeyword =
  | 'additionalItems'
  | 'additionalProperties'
  | 'anyOf'
  | 'const'
  | 'contains'
  | 'dependencies'
  | 'dependentRequired'
  | 'enum'
  | 'exclusiveMaximum'
  | 'exclusiveMinimum'
  | 'false'
  | 'format'
  | 'items'
  | 'maxContains'
  | 'maxItems'
  | 'maxLength'
  | 'maxProperties'
  | 'maximum'
  | 'minContains'
  | 'minItems'
  | 'minLength'
  | 'minProperties'
  | 'minimum'
  | 'multipleOf'
  | 'not'
  | 'oneOf'
  | 'pattern'
  | 'patternProperties'
  | 'prefixItems'
  | 'properties'
  | 'propertyNames'
  | 'required'
  | 'type'
  | 'unevaluatedItems'
  | 'unevaluatedProperties'
  | 'uniqueItems'

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
  readonly keyword?: SchemaKeyword
  readonly path?: string
  readonly schemaPath?: string
  /** What the schema wants there, and what stands there instead. */
  readonly expected?: string
  readonly found?: string
  /** The same of a schema in no language, see `FaultSentence`. */
  readonly key?: string
  readonly allowed?: readonly string[]
  readonly foundType?: 'array' | 'object' | ''
}

/** Makes the sentence of a fault. */
export type FaultSentence = (fault: {
  /** What the fault is about: a key, a word, a character; of a `schema` fault the English sentence. */
  detail: string
  /** How many there are. */
  count: number
  /** The line of the thing it belongs to, from 1. */
  related: number
  /** The column of that thing, from 1. */
  relatedColumn: number
  /** Of a `schema` fault: the keyword that the text does not keep, a `SchemaKeyword`. */
  keyword: string
  /** Of a `schema` fault: what the schema says there, such as a limit or a pattern. Types and several values are in English. */
  expected: string
  /** Of a `schema` fault: what stands in the text. An object or a list is named in English. */
  found: string
  /** Of a `schema` fault: the key that is missing or not allowed, in quotes. */
  key: string
  /** Of a `schema` fault: the values that `enum` allows, as JSON, or the names of types that `type` allows. */
  allowed: readonly string[]
  /** Of a `schema` fault: what stands there, where that is an object or a list (`array`). */
  foundType: 'array' | 'object' | ''
}) => string

/** What a key that stands twice counts as. */
export type DuplicateKeys = 'warning' | 'error' | 'ignore'

/** What a schema says about a text that is JSON. */
export type Judge = (text: string) => RawFault[]

/** How a text is checked. */
export interface CheckRules {
  readonly duplicates?: DuplicateKeys | undefined
  /** The schema as JSON text. */
  readonly schema?: string | undefined
}

/** The text actions of the toolbar, the keyboard and the ref. */
export type TextAction = 'format' | 'compact' | 'sortKeys' | 'repair'
