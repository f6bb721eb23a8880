// CodeMirror 6 as a JSON editor, set up as its documentation shows.
import { json, jsonParseLinter } from '@codemirror/lang-json'
import { linter, lintGutter } from '@codemirror/lint'
import { basicSetup, EditorView } from 'codemirror'

export { EditorView }

export const extensions = () => [basicSetup, json(), linter(jsonParseLinter()), lintGutter()]
