// What arrives right after the first paint, as one chunk: the check, the actions and what shows them.
import { createActions } from './actions.ts'
import { Caret } from './Caret.tsx'
import { FullLoader } from './FullLoader.tsx'
import { Overlays } from './Overlays.tsx'
import { Problems } from './Problems.tsx'
import { Status } from './Status.tsx'
import { Surroundings } from './Surroundings.tsx'
import { Toolbar } from './Toolbar.tsx'

export const TOOL_PARTS: {
  readonly createActions: typeof createActions
  readonly Caret: typeof Caret
  readonly FullLoader: typeof FullLoader
  readonly Overlays: typeof Overlays
  readonly Problems: typeof Problems
  readonly Status: typeof Status
  readonly Surroundings: typeof Surroundings
  readonly Toolbar: typeof Toolbar
} = { createActions, Caret, FullLoader, Overlays, Problems, Status, Surroundings, Toolbar }
