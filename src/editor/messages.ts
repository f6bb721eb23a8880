// What the editor says outside of faults, in English; the `messages` prop replaces any line.
import type { TOOL_MESSAGES, TOOL_NAMES } from './tools/toolMessages.ts'
import type { FaultSentence, JsonFaultCode } from './types.ts'

/** Said by what is there at once; the rest of the texts comes with the part that shows it. */
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

/** The texts with the replaced ones in place; one of another kind, `undefined` for instance, is not a replacement. */
export function withTexts<Texts extends object>(texts: Texts, replaced: EditorMessages | undefined): Texts {
  const said = { ...texts } as Record<string, unknown>
  for (const [key, text] of Object.entries(replaced ?? {})) {
    const english = said[key]
    if (Object.hasOwn(texts, key) && typeof text === typeof english)
      said[key] = typeof text === 'string' ? text : sayOr(text as never, english as never)
  }
  return said as Texts
}

/** What an app's text says; the English one where it throws or gives none: it must not take the editor down. */
export const sayOr =
  <Values extends unknown[]>(
    text: ((...values: Values) => unknown) | undefined,
    english: (...values: Values) => string,
  ) =>
  (...values: Values): string => {
    try {
      const said = text?.(...values)
      if (typeof said === 'string') return said
    } catch {
      // Then in English.
    }
    return english(...values)
  }
