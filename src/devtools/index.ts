// The entry `latchkey/devtools`: a panel that shows a running session without secrets.
export * from './LatchkeyDevtools.tsx'
