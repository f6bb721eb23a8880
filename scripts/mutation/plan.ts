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

interface Covering {
  readonly test: string
  /** What the test is about, without `src/` and `.ts`; everything where it is not said. */
  readonly about?: readonly string[]
}

const on = (about: readonly string[], ...tests: readonly string[]): Covering[] =>
  tests.map((test) => ({ test, about }))
const pure = (...tests: readonly string[]): Covering[] => tests.map((test) => ({ test }))
const NOTHING: readonly string[] = []

/** Tests in the order in which they are tried: those of a file first, whole sessions last. */
export const COVERING: Readonly<Record<string, readonly Covering[]>> = {
  protocol: [
    ...pure(
      ...node(
        'protocolEdges',
        'tabWords',
        'tokens',
        'claims',
        'config',
        'signIn',
        'origin',
        'secret',
        'endpoints',
      ),
    ),
    ...pure(
      ...node('linkMap', 'presenceProtocol', 'presenceRules', 'presenceStateSpace', 'realtimeSdk', 'texts'),
    ),
    ...on(['protocol/proofKey', 'protocol/randomText'], ...node('proofKey')),
    ...on(['protocol/eventHooks'], ...node('eventHooks')),
    ...on(['protocol/redirection'], ...node('redirection')),
    ...on(['protocol/passthrough', 'protocol/passthroughPage', 'protocol/address'], ...node('passthrough')),
    ...on(['protocol/pages'], ...node('signOut')),
    ...on(['protocol/occupants', 'protocol/company'], ...node('presenceSession'), ...dom('realtimeHooks')),
    ...on(NOTHING, ...node('messaging', 'tabsRateLimit', 'startUp'), ...dom('writes', 'reads', 'toasts')),
  ],
  session: [
    ...pure(...node('sessionEdges', 'tabsEdges')),
    ...on(['session/silentCheck'], ...node('silentCheck')),
    ...on(['session/startUp'], ...node('startUp')),
    ...on(['session/renewal'], ...node('renewal')),
    ...on(['session/popup'], ...dom('popups')),
    ...on(['session/tabs'], ...node('tabs', 'tabsRaces', 'tabsWaits', 'tabsCrashes', 'tabsRateLimit')),
  ],
}
