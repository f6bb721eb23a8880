// Stock Monaco through @monaco-editor/react, from the app's bundle, with its JSON language service.
import { Editor, loader } from '@monaco-editor/react'
import * as monaco from 'monaco-editor/editor'
import 'monaco-editor/features/register.all'
import 'monaco-editor/languages/features/json/register'

globalThis.MonacoEnvironment = {
  getWorker: (_id, label) =>
    label === 'json'
      ? new Worker(new URL('../../src/editor/monaco/json.worker.ts', import.meta.url), { type: 'module' })
      : new Worker(new URL('../../src/editor/monaco/editor.worker.ts', import.meta.url), { type: 'module' }),
}
loader.config({ monaco })

export { Editor, monaco }
