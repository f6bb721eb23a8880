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

/** Tests that are about the files themselves, and tests of whole sessions, of which a few are enough. */
export const COVERING: Readonly<Record<string, { own: readonly string[]; whole: readonly string[] }>> = {
  protocol: {
    own: [
      ...node('tokens', 'claims', 'config', 'signIn', 'origin', 'proofKey', 'secret', 'endpoints', 'linkMap'),
      ...node(
        'protocolEdges',
        'tabWords',
        'presenceProtocol',
        'presenceRules',
        'presenceStateSpace',
        'realtimeSdk',
      ),
      ...node('texts', 'eventHooks', 'redirection', 'passthrough', 'records', 'vault'),
    ],
    whole: [
      ...node('presenceSession', 'tabs', 'tabsRateLimit', 'messaging', 'startUp', 'renewal'),
      ...dom('writes', 'reads', 'toasts', 'realtimeHooks'),
    ],
  },
  session: {
    own: [
      ...node(
        'silentCheck',
        'startUp',
        'renewal',
        'sessionEdges',
        'tabs',
        'tabsRaces',
        'tabsWaits',
        'tabsCrashes',
      ),
      ...node('tabsRateLimit', 'loops'),
      ...dom('popups'),
    ],
    whole: node('passthrough', 'session', 'idle', 'signOut'),
  },
}
