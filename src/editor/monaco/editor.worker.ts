// Monaco's own worker under our own address: bundlers find it without configuration.
import 'monaco-editor/editor/editor.worker'
