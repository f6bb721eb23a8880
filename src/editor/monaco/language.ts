// Sets up Monaco from the app's bundle: no CDN, its own workers, a minimal JSON language, and nothing shared with the page.
import { loader } from '@monaco-editor/react'
import * as monacoModule from 'monaco-editor/editor'
import type { languages } from 'monaco-editor/editor'
// Without all of its features Monaco cannot mount a second time.
import 'monaco-editor/features/register.all'
import { StandaloneServices } from 'monaco-editor/editor/standalone/browser/standaloneServices'
import { IWebWorkerService } from 'monaco-editor/platform/webWorker/browser/webWorkerService'
import { HUGE_LENGTH } from '../limits.ts'
import { startWorker } from '../startWorker.ts'

/** The Monaco module: the bundle's, or the one that the app has loaded. */
export type Monaco = typeof monacoModule

/** The Monaco that the app has loaded with `@monaco-editor/react`. */
const findAppMonaco = () =>
  (loader as { __getMonacoInstance?: () => unknown }).__getMonacoInstance?.() as Monaco | null

// With an AMD loader on the page, such as a CDN's, Monaco assigns itself to `window.monaco`, which belongs to the app's Monaco.
const page = globalThis as { monaco?: Monaco | null; define?: { amd?: unknown } }
if (page.define?.amd && page.monaco?.editor === monacoModule.editor) page.monaco = findAppMonaco()

/** An id of its own: an app's settings for Monaco's "json" do not apply here. */
export const LANGUAGE = 'latchkey-json'
/** For long texts: without brackets, whose tree takes minutes on deep nesting. */
const LONG_LANGUAGE = 'latchkey-json-long'

/** Longer texts have no bracket matching. */
const BRACKETS_LENGTH = 100_000

/** The language for a text length; the lines of huge texts are not tokenized at all. */
export const languageFor = (length: number): string =>
  length > HUGE_LENGTH ? 'plaintext' : length > BRACKETS_LENGTH ? LONG_LANGUAGE : LANGUAGE

/** No JSON token spans two lines. */
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
      // Enter between two brackets gives the caret its own line, even without bracket matching.
      onEnterRules: [
        {
          beforeText: /[{[]\s*$/,
          afterText: /^\s*[}\]]/,
          action: { indentAction: monaco.languages.IndentAction.IndentOutdent },
        },
      ],
      // Empty, not absent: Monaco would match and colour brackets by default.
      brackets: id === LANGUAGE ? pairs.slice(0, 2).map(({ open, close }) => [open, close]) : [],
    })
  }
}

/** Provides Monaco's worker. `MonacoEnvironment` would also give it to the JSON, CSS and TypeScript of the app. */
function provideWorker(): void {
  const service = StandaloneServices.get(IWebWorkerService)
  const create = service.createWorkerClient.bind(service)
  const start = () =>
    startWorker(() => new Worker(new URL('./editor.worker.js', import.meta.url), { type: 'module' }))
  service.createWorkerClient = (of) =>
    create('label' in of && of.label === 'editorWorkerService' ? start() : of)
}

/**
 * Returns Monaco, ready for use: the app's, if it has loaded one with `@monaco-editor/react`, else the bundle's own. The app's
 * loader does not get the bundle's: it would give the app a Monaco without its languages.
 */
export function setUpMonaco(): Monaco {
  const ready = findAppMonaco() ?? monacoModule
  if (ready.languages.getLanguages().some(({ id }) => id === LANGUAGE)) return ready
  if (ready.editor === monacoModule.editor && !globalThis.MonacoEnvironment) provideWorker()
  registerLanguage(ready)
  return ready
}
