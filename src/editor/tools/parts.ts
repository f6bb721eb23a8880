// The chunk that loads right after the first paint: the check, the actions and their UI.
import { createActions } from './actions.ts'
import { Overlays } from './FullLoader.tsx'
import { Problems } from './Problems.tsx'
import { Status } from './Status.tsx'
import { Toolbar } from './Toolbar.tsx'

export const TOOL_PARTS = { createActions, Overlays, Problems, Status, Toolbar }
