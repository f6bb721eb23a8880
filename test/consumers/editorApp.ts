// An app of a few lines with the whole editor, and the policy that docs/editor.md says it works under.

/** A text that is long enough for the worker and short enough for its symbols, a schema and something to compare with: all that has a worker. */
export const EDITOR_APP = `
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { JsonEditor } from 'latchkey/editor'
createRoot(document.querySelector('#root')).render(
  createElement(JsonEditor, {
    label: 'Map',
    defaultValue: '[' + '"text", '.repeat(9_000) + '1]',
    original: '[]',
    schema: { type: 'array', minItems: 1 },
  }),
)
`

/** The policy of docs/editor.md. */
export const EDITOR_POLICY =
  "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src data:"
