// Monaco's JSON service, which knows schemas, at a path of our own: bundlers find it without configuration.
import 'monaco-editor/languages/features/json/json.worker'
