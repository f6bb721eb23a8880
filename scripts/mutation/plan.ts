// Which files get mistakes, and which tests should notice them: those of a file first, whole sessions after them.
import { readdirSync } from 'node:fs'

const protocol = readdirSync('src/protocol')
  .filter((name) => name.endsWith('.ts'))
  .toSorted()
  .map((name) => `src/protocol/${name}`)

const session = ['startUp', 'silentCheck', 'renewal', 'popup', 'tabs'].map((name) => `src/session/${name}.ts`)

export const MODULES: Readonly<Record<string, readonly string[]>> = { protocol, session }
export const TARGETS: readonly string[] = [...protocol, ...session]

const node = (...names: string[]) => names.map((name) => `test/node/${name}.test.ts`)
const dom = (...names: string[]) => names.map((name) => `test/dom/${name}.test.tsx`)

export const COVERING: Readonly<Record<string, readonly string[]>> = {
  protocol: [
    ...node('tokens', 'claims', 'config', 'signIn', 'origin', 'proofKey', 'secret', 'endpoints', 'linkMap'),
    ...node('presenceProtocol', 'presenceRules', 'presenceSession', 'realtimeSdk', 'eventHooks', 'texts'),
    ...node('redirection', 'passthrough', 'records', 'vault', 'messaging', 'tabs', 'tabsRateLimit'),
    ...dom('writes', 'reads', 'popups', 'toasts', 'realtimeHooks'),
  ],
  session: [
    ...node(
      'silentCheck',
      'startUp',
      'renewal',
      'tabs',
      'tabsRaces',
      'tabsWaits',
      'tabsCrashes',
      'tabsRateLimit',
    ),
    ...node('passthrough', 'session', 'idle'),
    ...dom('popups'),
  ],
}
