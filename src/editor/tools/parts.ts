// What arrives right after the first paint, as one chunk: the check, the actions and what shows them.
export { createActions } from './actions.ts'
export { Caret } from './Caret.tsx'
export { FullLoader } from './FullLoader.tsx'
export { Problems } from './Problems.tsx'
export { Proposal } from './Proposal.tsx'
export { Status } from './Status.tsx'
export { Surroundings } from './Surroundings.tsx'
export { Toolbar } from './Toolbar.tsx'
