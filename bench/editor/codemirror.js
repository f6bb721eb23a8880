// CodeMirror 6 with what a JSON box needs, as its documentation puts it together.
import { json, jsonParseLinter } from '@codemirror/lang-json'
import { linter, lintGutter } from '@codemirror/lint'
import { basicSetup, EditorView } from 'codemirror'

export { EditorView }

export const extensions = () => [basicSetup, json(), linter(jsonParseLinter()), lintGutter()]
