'use client'
// Entry point `latchkey/editor`: the JSON editor, and `parseJson`, its check without a UI.
export { JsonEditor } from './JsonEditor.tsx'
export type { EditorMessages } from './messages.ts'
export { parseJson } from './parseJson.ts'
export type { ParsedJson, ParseJsonOptions } from './parseJson.ts'
export type { JsonEditorHandle, JsonEditorProps, MonacoParts } from './props.ts'
export type { EditorTool } from './tools/toolMessages.ts'
export type { DuplicateKeys, FaultSentence, JsonFault, JsonFaultCode, SchemaKeyword } from './types.ts'
