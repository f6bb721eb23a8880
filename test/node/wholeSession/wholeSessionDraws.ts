// Draws whole sessions: the world that one is played in, and what happens in it.
import * as fc from 'fast-check'
import { type Command, type CommandName, NAMES } from './wholeSessionCommands.ts'
import type { Lacking, Setting } from './wholeSessionWorld.ts'

/** How often a command is drawn beside the others; 1 when it is not named. */
const WEIGHTS: Partial<Record<CommandName, number>> = {
  open: 6,
  'come back': 8,
  pass: 8,
  reload: 3,
  login: 3,
  logout: 2,
  renew: 4,
  token: 4,
  duplicate: 2,
  sleep: 2,
  latency: 3,
  look: 2,
  'another user': 2,
  'in the middle of a renewal': 4,
  online: 2,
  'server is well': 3,
  'restore connection': 2,
  'sign in in a window': 3,
  'step up': 3,
  'window answers': 6,
  'DPoP on or off': 2,
  mount: 3,
  unmount: 2,
  'into the cache': 3,
  'out of the cache': 4,
  'claims challenge': 2,
  switch: 2,
}

const names = NAMES.map((name) => ({
  arbitrary: fc.constant(name),
  weight: WEIGHTS[name] ?? 1,
}))

const command: fc.Arbitrary<Command> = fc.record({
  name: fc.oneof(...names),
  tab: fc.nat(7),
  value: fc.nat(27),
  pause: fc.oneof(
    { weight: 3, arbitrary: fc.constant('rest' as const) },
    { weight: 1, arbitrary: fc.nat(30) },
  ),
})

const LACKING: readonly (readonly Lacking[])[] = [
  [],
  [],
  [],
  [],
  ['locks'],
  ['channels'],
  ['seal'],
  ['store'],
  ['locks', 'store'],
]

const setting: fc.Arbitrary<Setting> = fc.record({
  seed: fc.nat(),
  browserCount: fc.constantFrom(1, 1, 1, 2),
  config: fc.record({
    autoLogin: fc.boolean(),
    autoLogout: fc.boolean(),
    autoRefreshToken: fc.boolean(),
    uniqueSession: fc.boolean(),
  }),
  hasRealtime: fc.boolean(),
  isRotating: fc.constantFrom(true, true, false),
  naming: fc.constantFrom('stable', 'none', 'per sign-in'),
  isBound: fc.constantFrom(false, false, true),
  isSilentBare: fc.boolean(),
  lifeInSeconds: fc.constantFrom(600, 600, 3600, 45),
  channelMs: fc.constantFrom(0, 0, 3, 20),
  without: fc.constantFrom(...LACKING),
  hooks: fc.constantFrom('none', 'none', 'none', 'throw', 'never end'),
  onClash: fc.constantFrom('no hook', 'no hook', 'stays', 'logs out', 'logs in', 'throws'),
})

/** A world, whether somebody is signed in at the server when it begins, and what happens in it. */
export const history = fc.record({
  setting,
  isSignedIn: fc.boolean(),
  commands: fc.array(command, { minLength: 5, maxLength: 40, size: 'max' }),
})
