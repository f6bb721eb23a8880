// What arrives right after the first paint, as one chunk: the check, the actions and what shows them.
import { createActions } from './actions.ts'
import { Problems } from './Problems.tsx'
import { Status } from './Status.tsx'
import { Toolbar } from './Toolbar.tsx'

export const TOOL_PARTS: {
  readonly createActions: typeof createActions
  readonly Problems: typeof Problems
  readonly Status: typeof Status
  readonly Toolbar: typeof Toolbar
} = { createActions, Problems, Status, Toolbar }
