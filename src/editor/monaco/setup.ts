// Brings Monaco up from the consumer's own bundle: no CDN, own workers, one small language.
import { loader } from '@monaco-editor/react'
import * as monaco from 'monaco-editor/editor'
// Without all of its features Monaco cannot be mounted a second time.
import 'monaco-editor/features/register.all'
import { LANGUAGE, registerLanguage, type Monaco } from './language.ts'

/** Gives Monaco, ready for use; the first caller sets it up. */
export async function setUpMonaco(): Promise<Monaco> {
  globalThis.MonacoEnvironment ??= {
    getWorker: () => new Worker(new URL('./editor.worker.js', import.meta.url), { type: 'module' }),
  }
  // Its types name paths that this Monaco no longer has.
  loader.config({ monaco: monaco as never })
  // A page that has set the loader up already keeps its own Monaco; then everything is done on that one.
  const ready = (await loader.init()) as unknown as Monaco
  if (!ready.languages.getLanguages().some((language) => language.id === LANGUAGE)) registerLanguage(ready)
  return ready
}
