// Monaco's JSON service, which knows schemas, under our own address: bundlers find it without configuration.
import 'monaco-editor/languages/features/json/json.worker'
