// Types that the editor's files share, some of them public: faults, rules, actions.

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

/** An error or a warning: its code, its place, and a sentence that explains it. */
export interface JsonFault {
  /** Stable; switch on this. */
  readonly code: JsonFaultCode
  /** One sentence in the language of `messages`. */
  readonly message: string
  /** From 1; `\n`, `\r\n` and `\r` each end a line. */
  readonly line: number
  /** From 1, in UTF-16 units. */
  readonly column: number
  /** From 0, in UTF-16 units; a byte order mark and both halves of CRLF count. */
  readonly offset: number
  /** The length of the faulty range, in UTF-16 units. */
  readonly length: number
  /** 'error': not JSON, or the schema does not allow it; 'warning': allowed, but doubtful. */
  readonly severity: 'error' | 'warning'
  /** Of a `schema` fault: the violated keyword, such as `required`. */
  readonly keyword?: string
  /** Of a `schema` fault: the place in the value, as a JSON Pointer (RFC 6901). */
  readonly path?: string
  /** Of a `schema` fault: the place in the schema, references followed, as a JSON Pointer. */
  readonly schemaPath?: string
}

/**
 * The keywords that a `schema` fault can name. Keywords that only apply other schemas, such as `allOf` and `$ref`, are not among
 * them: the fault names the inner keyword. `false` is a schema that is just `false`.
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

/** A fault as the scanner reports it, without line and sentence: this keeps the scanner small and fast. */
export interface RawFault {
  readonly code: JsonFaultCode
  readonly offset: number
  readonly length: number
  /** What the sentence quotes: a key, a word, a character. */
  readonly detail?: string
  /** The number of open brackets, or of all schema faults. */
  readonly count?: number
  /** A warning, whatever the code's severity. */
  readonly isWarning?: boolean
  /** Offset of the related place: the opening bracket, the first use of a key. */
  readonly related?: number
  readonly keyword?: SchemaKeyword
  readonly path?: string
  readonly schemaPath?: string
  /** What the schema expects, and what the text has instead. */
  readonly expected?: string
  readonly found?: string
  /** Language-neutral details of a schema fault, see `FaultSentence`. */
  readonly key?: string
  readonly allowed?: readonly string[]
  readonly foundType?: 'array' | 'object' | ''
}

/** Returns the sentence of a fault. */
export type FaultSentence = (fault: {
  /** The subject of the fault: a key, a word, a character; of a `schema` fault the English sentence. */
  detail: string
  /** The number of open brackets, or of all schema faults. */
  count: number
  /** The line of the related place (the opening bracket, the first key), from 1. */
  related: number
  /** The column of the related place, from 1. */
  relatedColumn: number
  /** Of a `schema` fault: the violated keyword, a `SchemaKeyword`. */
  keyword: string
  /** Of a `schema` fault: the keyword's value, such as a limit or a pattern. Types and several values are in English. */
  expected: string
  /** Of a `schema` fault: the value in the text. An object or a list is named in English. */
  found: string
  /** Of a `schema` fault: the key that is missing or not allowed, in quotes. */
  key: string
  /** Of a `schema` fault: the values that `enum` allows, as JSON, or the names of the types that `type` allows. */
  allowed: readonly string[]
  /** Of a `schema` fault: the type of the value, if it is an object or a list (`array`). */
  foundType: 'array' | 'object' | ''
}) => string

/** How duplicate keys count. */
export type DuplicateKeys = 'warning' | 'error' | 'ignore'

/** Returns the schema faults of a text that is JSON. */
export type Validate = (text: string) => RawFault[]

/** How a text is checked. */
export interface CheckRules {
  readonly duplicates?: DuplicateKeys | undefined
  /** The schema as JSON text. */
  readonly schema?: string | undefined
}

/** The text actions of the toolbar, the keyboard and the ref. */
export type TextAction = 'format' | 'compact' | 'sortKeys' | 'repair'
