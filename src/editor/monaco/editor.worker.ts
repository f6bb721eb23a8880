// Monaco's base worker at a path of our own: bundlers find it without configuration.
import 'monaco-editor/editor/editor.worker'
