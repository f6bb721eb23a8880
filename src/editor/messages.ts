// The editor's texts in English, apart from faults; the `messages` prop replaces any of them.
import type { TOOL_MESSAGES, TOOL_NAMES } from './tools/toolMessages.ts'
import type { FaultSentence, JsonFaultCode } from './types.ts'

/** Texts of the first paint; each later part brings its own. */
export const SHELL_MESSAGES = {
  name: 'JSON',
  loading: 'The full editor is loading; you can type already.',
  failed: 'The full editor could not be loaded. You can go on here: nothing is lost.',
  retry: 'Load the editor again',
  preview: 'This is the beginning of a large text. All of it opens in the full editor.',
}

/** Any of the editor's texts, and the sentence of any fault. */
export type EditorMessages = Partial<typeof SHELL_MESSAGES & typeof TOOL_NAMES & typeof TOOL_MESSAGES> & {
  /** The sentence of each fault, by its code. */
  readonly faults?: Partial<Record<JsonFaultCode, FaultSentence>>
}

/** Merges the app's texts into `texts`; a value of another type, such as `undefined`, is ignored. */
export function withTexts<Texts extends object>(texts: Texts, replaced: EditorMessages | undefined): Texts {
  const said = { ...texts } as Record<string, unknown>
  for (const [key, text] of Object.entries(replaced ?? {})) {
    const english = said[key]
    if (Object.hasOwn(texts, key) && typeof text === typeof english)
      said[key] = typeof text === 'string' ? text : textOr(text as never, english as never)
  }
  return said as Texts
}

/** The app's text, or the English one if it throws or returns no string: a bad text must not break the editor. */
export const textOr =
  <Values extends unknown[]>(
    text: ((...values: Values) => unknown) | undefined,
    english: (...values: Values) => string,
  ) =>
  (...values: Values): string => {
    try {
      const said = text?.(...values)
      if (typeof said === 'string') return said
    } catch {
      // Falls back to English.
    }
    return english(...values)
  }
