// Brings Monaco up from the consumer's own bundle: no CDN, own workers, and JSON as small as it can be, with nothing that is shared with the page.
import { loader } from '@monaco-editor/react'
import * as monacoModule from 'monaco-editor/editor'
import type { languages } from 'monaco-editor/editor'
// Without all of its features Monaco cannot be mounted a second time.
import 'monaco-editor/features/register.all'
import { StandaloneServices } from 'monaco-editor/editor/standalone/browser/standaloneServices'
import { IWebWorkerService } from 'monaco-editor/platform/webWorker/browser/webWorkerService'
import { HUGE_LENGTH } from '../limits.ts'
import { startWorker } from '../startWorker.ts'

/** The module Monaco: the bundle's own, or the one that the app has loaded. */
export type Monaco = typeof monacoModule

/** The Monaco that the app has loaded with `@monaco-editor/react`. */
const findTheirs = () =>
  (loader as { __getMonacoInstance?: () => unknown }).__getMonacoInstance?.() as Monaco | null

// Monaco puts itself into the window where the page has an AMD loader, such as that of a CDN: the app's Monaco belongs there.
const page = globalThis as { monaco?: Monaco | null; define?: { amd?: unknown } }
if (page.define?.amd && page.monaco?.editor === monacoModule.editor) page.monaco = findTheirs()

/** Own name: an app's settings for Monaco's "json" and ours do not meet. */
export const LANGUAGE = 'latchkey-json'
/** The same without brackets, whose tree would take minutes on deep nesting, for long texts. */
const LONG_LANGUAGE = 'latchkey-json-long'

/** Longer texts have no bracket matching. */
const BRACKETS_LENGTH = 100_000

/** The language of a text that is so long; of huge ones not even the lines are to be looked at. */
export const languageFor = (length: number): string =>
  length > HUGE_LENGTH ? 'plaintext' : length > BRACKETS_LENGTH ? LONG_LANGUAGE : LANGUAGE

/** No JSON word goes over a line end. */
const TOKENS: languages.IMonarchLanguage = {
  defaultToken: '',
  tokenPostfix: '.json',
  tokenizer: {
    root: [
      [/"(?:[^"\\]|\\.)*"(?=\s*:)/, 'string.key'],
      [/"(?:[^"\\]|\\.)*"?/, 'string.value'],
      [/-?\d[\d.eE+-]*/, 'number'],
      [/(?:true|false|null)\b/, 'keyword'],
      [/[{}[\],:]/, 'delimiter'],
      [/\w+|\s+/, ''],
    ],
  },
}

function registerLanguage(monaco: Monaco): void {
  const pairs = [
    { open: '{', close: '}', notIn: ['string'] },
    { open: '[', close: ']', notIn: ['string'] },
    { open: '"', close: '"', notIn: ['string'] },
  ]
  for (const id of [LANGUAGE, LONG_LANGUAGE]) {
    monaco.languages.register({ id })
    monaco.languages.setMonarchTokensProvider(id, TOKENS)
    monaco.languages.setLanguageConfiguration(id, {
      wordPattern: /(-?\d*\.\d\w*)|([^\s[\]{}:,"]+)/,
      autoClosingPairs: pairs,
      surroundingPairs: pairs,
      indentationRules: { increaseIndentPattern: /^.*[{[]\s*$/, decreaseIndentPattern: /^\s*[}\]]/ },
      // Between two brackets the caret gets a line of its own, also where brackets are not matched.
      onEnterRules: [
        {
          beforeText: /[{[]\s*$/,
          afterText: /^\s*[}\]]/,
          action: { indentAction: monaco.languages.IndentAction.IndentOutdent },
        },
      ],
      // An empty list, not none: Monaco would match and colour pairs of brackets all the same.
      brackets: id === LANGUAGE ? pairs.slice(0, 2).map(({ open, close }) => [open, close]) : [],
    })
  }
}

/** Gives Monaco its worker. With `MonacoEnvironment` the JSON, CSS and TypeScript of the app would get that worker as theirs. */
function bringWorker(): void {
  const service = StandaloneServices.get(IWebWorkerService)
  const create = service.createWorkerClient.bind(service)
  const start = () =>
    startWorker(() => new Worker(new URL('./editor.worker.js', import.meta.url), { type: 'module' }))
  service.createWorkerClient = (of) =>
    create('label' in of && of.label === 'editorWorkerService' ? start() : of)
}

/**
 * Returns Monaco, ready for use: the app's, if it has loaded one with `@monaco-editor/react`, else the bundle's own. The app's
 * loader is not told of that one: it would give the app a Monaco without its languages.
 */
export function setUpMonaco(): Monaco {
  const ready = findTheirs() ?? monacoModule
  if (ready.languages.getLanguages().some(({ id }) => id === LANGUAGE)) return ready
  if (ready.editor === monacoModule.editor && !globalThis.MonacoEnvironment) bringWorker()
  registerLanguage(ready)
  return ready
}
