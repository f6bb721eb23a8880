// The entry `latchkey/devtools`: a panel that shows a running session without secrets.
export { LatchkeyDevtools, type LatchkeyDevtoolsProps } from './LatchkeyDevtools.tsx'
export {
  createSupportBundle,
  LatchkeyDevtoolsPanel,
  type LatchkeyDevtoolsPanelProps,
  latchkeyDevtoolsPlugin,
  type LatchkeyDevtoolsPlugin,
} from './LatchkeyDevtoolsPanel.tsx'
