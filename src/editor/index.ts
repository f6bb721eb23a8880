'use client'
// The entry `latchkey/editor`: a JSON editor that never changes what was typed, and its syntax check without it.
export { JsonEditor } from './JsonEditor.tsx'
export type { EditorMessages } from './messages.ts'
export { parseJson } from './parseJson.ts'
export type { ParsedJson, ParseJsonOptions } from './parseJson.ts'
export type { JsonEditorHandle, JsonEditorProps, MonacoParts } from './props.ts'
export type { EditorTool } from './tools/toolMessages.ts'
export type { DuplicateKeys, FaultSentence, JsonFault, JsonFaultCode, SchemaKeyword } from './types.ts'
