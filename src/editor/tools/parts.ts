// What arrives right after the first paint, as one chunk: the check, the actions and what shows them.
export { createActions } from './actions.ts'
export { Problems } from './Problems.tsx'
export { Status } from './Status.tsx'
export { Toolbar } from './Toolbar.tsx'
