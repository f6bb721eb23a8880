// The module Monaco as a type: what the loader gives, whoever loaded it.
import type * as monaco from 'monaco-editor/editor'

export type Monaco = typeof monaco
