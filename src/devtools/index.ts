// The entry `latchkey/devtools`: a panel that shows a running session without secrets.
export {
  createSupportBundle,
  LatchkeyDevtools,
  LatchkeyDevtoolsPanel,
  type LatchkeyDevtoolsPanelProps,
  latchkeyDevtoolsPlugin,
  type LatchkeyDevtoolsPlugin,
  type LatchkeyDevtoolsProps,
} from './LatchkeyDevtools.tsx'
