// Which files get mistakes, and which tests should notice them: those of a file first, whole sessions after them.
import { readdirSync } from 'node:fs'

const protocol = readdirSync('src/protocol')
  .filter((name) => name.endsWith('.ts'))
  .toSorted()
  .map((name) => `src/protocol/${name}`)

const session = [
  'boot/startUp',
  'signIn/hiddenFrame',
  'signedIn/tokenRefresh',
  'features/accountWindows',
  'tabs/tabChannel',
].map((name) => `src/session/${name}.ts`)

export const MODULES: Readonly<Record<string, readonly string[]>> = { protocol, session }
export const TARGETS: readonly string[] = [...protocol, ...session]

/** Files of tests, by their names with blanks between. */
const node = (names: string) => names.split(' ').map((name) => `test/node/${name}.test.ts`)
const oidc = (names: string) => names.split(' ').map((name) => `test/oidc/${name}.test.ts`)
const dom = (names: string) => names.split(' ').map((name) => `test/dom/${name}.test.tsx`)

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
      ...node('calls/refusal calls/support calls/firm tabs/tabMessages tokens/tokens'),
      ...node('tokens/claims config/config signIn/signIn signIn/origin calls/secret'),
      ...node('calls/endpoints'),
      ...node('calls/linkMap uniqueSession/presenceProtocol uniqueSession/presenceTiming'),
      ...node('uniqueSession/presenceRules uniqueSession/presenceStateSpace realtime/realtimeSdk'),
      ...node('uniqueSession/channelOccupants uniqueSession/clash config/texts tabs/sessionName'),
      ...node(
        'uniqueSession/endedSessions startUp/silentSignInOff config/cleanText signIn/ownWindow realtime/channel',
      ),
    ),
    ...on(['protocol/pkce', 'protocol/randomText'], ...node('signIn/pkce')),
    ...on(['protocol/loginParameters'], ...node('signIn/loginOptions'), ...oidc('signIn/requests')),
    ...on(
      ['protocol/challenge', 'protocol/randomText'],
      ...node('calls/forbidden'),
      ...oidc('signIn/stepUp signIn/claimsChallenge session/refusedTokens session/whoIsItNow'),
      ...dom('provider/forbidden'),
    ),
    ...on(['protocol/earlyScripts'], ...node('early/earlyScripts vite/vite server/server')),
    ...on(
      ['protocol/credentials'],
      ...node('tabs/tabMessages storage/storagePoison'),
      ...oidc('session/switchTo'),
    ),
    ...on(['protocol/appClaims'], ...node('tokens/appClaims'), ...oidc('tokens/appClaims')),
    ...on(['protocol/resourceTokens'], ...oidc('tokens/resourceMemory tokens/resourceTokens')),
    ...on(['protocol/frameFailures'], ...node('startUp/silentSignInOff startUp/silentCheck startUp/loops')),
    ...on(['protocol/storageKeys'], ...node('storage/storageKeys storage/storagePoison')),
    ...on(
      ['protocol/pubnubSdk', 'protocol/realtimeOptions'],
      ...node('realtime/realtimePubnub realtime/sharedConnection realtime/realtimeGarbage'),
    ),
    ...on(
      ['protocol/identity', 'protocol/uniqueSession', 'protocol/tabMessages'],
      ...node('tabs/tabsEndings tabs/tabs tabs/agreement tabs/tabsRaces'),
    ),
    ...on(
      ['protocol/config', 'protocol/origin'],
      ...node('config/serverConfig environments/redirection'),
      ...oidc('metadata/presets metadata/firmProfile session/firmOnly tokens/resourceTokens'),
    ),
    ...on(['protocol/signIn', 'protocol/address'], ...node('startUp/address startUp/startUp')),
    ...on(['protocol/eventHooks'], ...node('session/eventHooks uniqueSession/clash')),
    ...on(['protocol/redirection'], ...node('environments/redirection')),
    ...on(
      ['protocol/passthrough', 'protocol/initToken', 'protocol/address'],
      ...node('passthrough/passthrough'),
    ),
    ...on(['protocol/endpoints'], ...node('signOut/signOut')),
    ...on(['protocol/answers'], ...dom('calls/badAnswers')),
    ...on(
      ['protocol/channelOccupants', 'realtime/occupants'],
      ...node('uniqueSession/presenceSession'),
      ...dom('realtime/realtimeHooks'),
    ),
    ...on(
      NOTHING,
      ...node('uniqueSession/uniqueSession tabs/tabsRateLimit startUp/startUp'),
      ...dom('calls/writes calls/reads toaster/toasts'),
    ),
  ],
  session: [
    ...pure(
      ...node('startUp/startUpSteps renewal/tokenRefresh popups/popup tabs/tabChannel'),
      ...node('tabs/tabRenewal'),
    ),
    ...on(['session/signIn/hiddenFrame'], ...oidc('signIn/hiddenFrame'), ...node('startUp/silentCheck')),
    ...on(['session/boot/startUp'], ...node('startUp/startUp'), ...oidc('signIn/stepUp')),
    ...on(
      ['session/signedIn/tokenRefresh'],
      ...node('renewal/renewal renewal/tokenLife'),
      ...oidc('session/changesUnderWay'),
    ),
    ...on(['session/features/accountWindows'], ...dom('popups/popups')),
    ...on(
      ['session/tabs/tabChannel'],
      ...node('tabs/tabs tabs/tabsJoining tabs/tabsEndings tabs/unusedPage'),
    ),
  ],
}

/** Tests for what acts once, while its file loads; the shortest that name it. */
export const AT_LOAD: Readonly<Record<string, readonly string[]>> = {
  'src/protocol/challenge.ts': [...node('calls/forbidden'), ...oidc('signIn/stepUp signIn/claimsChallenge')],
  'src/protocol/claims.ts': node('tabs/tabMessages'),
  'src/protocol/loginParameters.ts': node('signIn/loginOptions'),
  'src/protocol/refusal.ts': node('calls/refusal'),
  'src/protocol/frameFailures.ts': node('startUp/silentSignInOff'),
  'src/protocol/tokens.ts': node('tokens/tokens'),
  'src/session/features/accountWindows.ts': node('popups/popup'),
  'src/session/features/watchWindow.ts': node('popups/popup'),
  'src/session/signedIn/tokenRefresh.ts': node('renewal/tokenRefresh'),
  'src/session/tabs/tabChannel.ts': node('tabs/tabChannel tabs/unusedPage'),
  'src/protocol/address.ts': node('passthrough/passthrough signIn/signIn'),
  'src/protocol/channelOccupants.ts': node('uniqueSession/presenceRules uniqueSession/channelOccupants'),
  'src/protocol/config.ts': node('config/config'),
  'src/protocol/endpoints.ts': [...node('calls/endpoints'), ...dom('calls/reads calls/writes popups/popups')],
  'src/protocol/eventHooks.ts': node('session/eventHooks'),
  'src/protocol/messages.ts': node('config/texts'),
  'src/protocol/passthrough.ts': node('passthrough/passthrough storage/storageKeys'),
  'src/protocol/popups.ts': dom('popups/popups provider/provider'),
  'src/protocol/presence.ts': node('uniqueSession/presenceProtocol uniqueSession/channelOccupants'),
  'src/protocol/pubnubSdk.ts': node('realtime/realtimeSdk'),
  'src/protocol/randomText.ts': node('signIn/pkce'),
  'src/protocol/realtimeOptions.ts': node('realtime/realtimeSdk'),
  'src/protocol/redaction.ts': node('calls/secret config/cleanText'),
  'src/protocol/redirection.ts': node('environments/redirection'),
  'src/protocol/resourceTokens.ts': oidc('tokens/resourceMemory'),
  'src/protocol/secret.ts': node('calls/secret'),
  'src/protocol/signIn.ts': node('signIn/signIn'),
  'src/protocol/storageKeys.ts': node('storage/storageKeys uniqueSession/uniqueSession signIn/ownWindow'),
  'src/protocol/tabMessages.ts': node('tabs/tabMessages'),
  'src/protocol/uniqueSession.ts': node(
    'uniqueSession/presenceTiming uniqueSession/presenceRules uniqueSession/endedSessions',
  ),
  'src/protocol/userText.ts': node('config/texts'),
}
