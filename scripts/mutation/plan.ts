// Which files get mistakes, and which tests should notice them: those of a file first, whole sessions after them.
import { readdirSync } from 'node:fs'

const protocol = readdirSync('src/protocol')
  .filter((name) => name.endsWith('.ts'))
  .toSorted()
  .map((name) => `src/protocol/${name}`)

const session = [
  'boot/startUp',
  'signIn/silentSignIn',
  'signedIn/tokenRefresh',
  'popup',
  'tabs/tabChannel',
].map((name) => `src/session/${name}.ts`)

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
        'protocolCorners',
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
      ...node(
        'linkMap',
        'presenceProtocol',
        'presenceTiming',
        'presenceRules',
        'presenceStateSpace',
        'realtimeSdk',
        'realtimeEdges',
        'texts',
      ),
    ),
    ...on(['protocol/pkce', 'protocol/randomText'], ...node('proofKey')),
    ...on(['protocol/eventHooks'], ...node('eventHooks')),
    ...on(['protocol/redirection'], ...node('redirection')),
    ...on(['protocol/passthrough', 'protocol/passthroughPage', 'protocol/address'], ...node('passthrough')),
    ...on(['protocol/pages'], ...node('signOut')),
    ...on(['protocol/answers'], ...dom('badAnswers')),
    ...on(
      ['protocol/channelOccupants', 'session/realtime/occupants'],
      ...node('presenceSession'),
      ...dom('realtimeHooks'),
    ),
    ...on(NOTHING, ...node('messaging', 'tabsRateLimit', 'startUp'), ...dom('writes', 'reads', 'toasts')),
  ],
  session: [
    ...pure(...node('sessionCorners', 'sessionEdges', 'tabsEdges')),
    ...on(['session/signIn/silentSignIn'], ...node('silentCheck', 'earlySession', 'tokenLife')),
    ...on(['session/boot/startUp'], ...node('startUp', 'firstVisit')),
    ...on(['session/signedIn/tokenRefresh'], ...node('renewal')),
    ...on(['session/popup'], ...dom('popups')),
    ...on(
      ['session/tabs/tabChannel'],
      ...node('tabs', 'tabsMeanwhile', 'tabsRaces', 'tabsWaits', 'tabsCrashes', 'tabsRateLimit'),
    ),
  ],
}

/** Tests for what acts once, while its file loads; the shortest that name it. */
export const AT_LOAD: Readonly<Record<string, readonly string[]>> = {
  'src/protocol/address.ts': node('protocolCorners', 'passthrough', 'signIn'),
  'src/protocol/channelOccupants.ts': node('presenceRules', 'realtimeEdges'),
  'src/protocol/config.ts': node('protocolCorners', 'config'),
  'src/protocol/endpoints.ts': [...node('endpoints'), ...dom('reads', 'writes', 'popups')],
  'src/protocol/eventHooks.ts': node('eventHooks'),
  'src/protocol/messages.ts': node('texts'),
  'src/protocol/popups.ts': dom('popups'),
  'src/protocol/presence.ts': node('protocolCorners', 'presenceProtocol', 'realtimeEdges'),
  'src/protocol/pubnubSdk.ts': node('realtimeSdk', 'realtimeEdges'),
  'src/protocol/randomText.ts': node('proofKey'),
  'src/protocol/realtimeOptions.ts': node('realtimeSdk', 'realtimeEdges'),
  'src/protocol/redaction.ts': node('secret', 'protocolEdges'),
  'src/protocol/redirection.ts': node('protocolCorners', 'redirection'),
  'src/protocol/secret.ts': node('secret'),
  'src/protocol/signIn.ts': node('protocolEdges', 'signIn'),
  'src/protocol/storageKeys.ts': node('messaging'),
  'src/protocol/tabMessages.ts': node('tabWords'),
  'src/protocol/uniqueSession.ts': node('presenceTiming', 'presenceRules'),
  'src/protocol/userText.ts': node('protocolEdges'),
}
