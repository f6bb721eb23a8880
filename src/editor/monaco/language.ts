// Brings Monaco up from the consumer's own bundle: no CDN, own workers, and JSON as small as it can be, with nothing that is shared with the page.
import { loader } from '@monaco-editor/react'
import * as monacoModule from 'monaco-editor/editor'
import type { languages } from 'monaco-editor/editor'
// Without all of its features Monaco cannot be mounted a second time.
import 'monaco-editor/features/register.all'

/** The module Monaco: what the loader gives, whoever loaded it. */
export type Monaco = typeof monacoModule

/** Own name: an app's settings for Monaco's "json" and ours do not meet. */
export const LANGUAGE = 'latchkey-json'
/** The same without brackets, whose tree would take minutes on deep nesting, for long texts. */
export const LONG_LANGUAGE = 'latchkey-json-long'

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d[\d.eE+-]*|[a-z]+|\/\/.*|[{}[\],:]|\s+|./giy

/** The same without colours as well, for texts of which not even the lines are to be looked at. */
export const HUGE_LANGUAGE = 'latchkey-json-huge'

/** Those that the schema, the symbols and the quick fixes are for. */
export const LANGUAGES = [LANGUAGE, LONG_LANGUAGE]

/** Longer lines stay without colours: nobody reads them, and colouring them would take seconds. */
const MOST_COLOURED = 20_000

/** No JSON word goes over a line end, so there is nothing to remember from line to line. */
const STATE: languages.IState = { clone: () => STATE, equals: () => true }

function nameOf(word: string, rest: string): string {
  const first = word[0]!
  if (first === '"') return /^\s*:/.test(rest) ? 'string.key.json' : 'string.value.json'
  if (first === '-' || (first >= '0' && first <= '9')) return 'number.json'
  if (word === 'true' || word === 'false' || word === 'null') return 'keyword.json'
  if (word.startsWith('//')) return 'comment.line.json'
  return '{}[],:'.includes(first) ? 'delimiter.json' : ''
}

const TOKENS: languages.TokensProvider = {
  getInitialState: () => STATE,
  tokenize(line) {
    if (line.length > MOST_COLOURED) return { tokens: [{ startIndex: 0, scopes: '' }], endState: STATE }
    const tokens: languages.IToken[] = []
    for (const match of line.matchAll(TOKEN)) {
      const scopes = nameOf(
        match[0],
        line.slice(match.index + match[0].length, match.index + match[0].length + 20),
      )
      if (scopes !== tokens.at(-1)?.scopes) tokens.push({ startIndex: match.index, scopes })
    }
    return { tokens, endState: STATE }
  },
}

function registerLanguage(monaco: Monaco): void {
  const pairs = [
    { open: '{', close: '}', notIn: ['string'] },
    { open: '[', close: ']', notIn: ['string'] },
    { open: '"', close: '"', notIn: ['string'] },
  ]
  // Typing is the same at every size; only matching brackets and colours need the whole text.
  const typing: languages.LanguageConfiguration = {
    wordPattern: /(-?\d*\.\d\w*)|([^\s[\]{}:,"]+)/,
    autoClosingPairs: pairs,
    surroundingPairs: pairs,
    indentationRules: {
      increaseIndentPattern: /^.*[{[]\s*$/,
      decreaseIndentPattern: /^\s*[}\]]/,
    },
    // Between two brackets the caret gets a line of its own, also where brackets are not matched.
    onEnterRules: [
      {
        beforeText: /[{[]\s*$/,
        afterText: /^\s*[}\]]/,
        action: { indentAction: monaco.languages.IndentAction.IndentOutdent },
      },
    ],
  }
  const brackets: languages.CharacterPair[] = [
    ['{', '}'],
    ['[', ']'],
  ]
  for (const id of [...LANGUAGES, HUGE_LANGUAGE]) {
    monaco.languages.register({ id })
    if (id !== HUGE_LANGUAGE) monaco.languages.setTokensProvider(id, TOKENS)
    // An empty list, not none: Monaco would match and colour pairs of brackets all the same.
    monaco.languages.setLanguageConfiguration(id, { ...typing, brackets: id === LANGUAGE ? brackets : [] })
  }
}

/** Gives Monaco, ready for use; the first caller sets it up. */
export async function setUpMonaco(): Promise<Monaco> {
  globalThis.MonacoEnvironment ??= {
    getWorker: () => new Worker(new URL('./editor.worker.js', import.meta.url), { type: 'module' }),
  }
  // Its types name paths that this Monaco no longer has.
  loader.config({ monaco: monacoModule as never })
  // A page that has set the loader up already keeps its own Monaco; then everything is done on that one.
  const ready = (await loader.init()) as unknown as Monaco
  if (!ready.languages.getLanguages().some((language) => language.id === LANGUAGE)) registerLanguage(ready)
  return ready
}
