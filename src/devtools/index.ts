// The entry `latchkey/devtools`: a panel that shows a running session without secrets.
export { createSupportBundle } from './bundle.ts'
export { LatchkeyDevtools, type LatchkeyDevtoolsProps } from './LatchkeyDevtools.tsx'
export {
  LatchkeyDevtoolsPanel,
  type LatchkeyDevtoolsPanelProps,
  latchkeyDevtoolsPlugin,
  type LatchkeyDevtoolsPlugin,
} from './LatchkeyDevtoolsPanel.tsx'
