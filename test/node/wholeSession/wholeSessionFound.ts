// Histories that random play has found, made as small as they can be: each was a defect once. And one for each kind of move.
import type { Command, CommandName } from './wholeSessionCommands.ts'
import type { History } from './wholeSessionPlay.ts'
import type { Setting } from './wholeSessionWorld.ts'

type Step = readonly [name: CommandName, tab: number, value: number, pause: Command['pause']]

const PLAIN: Setting = {
  seed: 0,
  browserCount: 1,
  config: { autoLogin: false, autoLogout: false, autoRefreshToken: false, uniqueSession: false },
  hasRealtime: false,
  isRotating: true,
  isBound: false,
  lifeInSeconds: 600,
  channelMs: 0,
  without: [],
  hooks: 'none',
  onClash: 'no hook',
}

const history = (steps: readonly Step[], setting: Partial<Setting> = {}, isSignedIn = true): History => ({
  setting: { ...PLAIN, ...setting },
  isSignedIn,
  commands: steps.map(([name, tab, value, pause]) => ({ name, tab, value, pause })),
})

/** What once happened, and the history that shows it. */
export const FOUND: readonly (readonly [what: string, history: History])[] = [
  [
    'a renewal on its way while the machine slept brought an expired token',
    history([
      ['in the middle of a renewal', 0, 0, 'rest'],
      ['open', 0, 0, 0],
      ['nothing heard of a sleep', 0, 4, 'rest'],
      ['token', 0, 0, 0],
      ['server is well', 0, 0, 0],
      ['come back', 0, 0, 0],
    ]),
  ],
  [
    'a start-up that began again put its failure in the place of a session that came late',
    history(
      [
        ['latency', 0, 2, 0],
        ['open', 0, 0, 'rest'],
        ['server', 0, 1, 0],
        ['nothing heard of a sleep', 0, 0, 0],
        ['sleep', 0, 0, 0],
        ['mount twice', 0, 0, 0],
        ['mount twice', 1, 0, 'rest'],
        ['online', 0, 0, 'rest'],
      ],
      { without: ['seal'] },
    ),
  ],
  [
    'a tab died in the middle of its renewal, another one joined, and the spent refresh token was used again',
    history(
      [
        ['duplicate', 3, 0, 0],
        ['reload', 1, 0, 0],
        ['open', 1, 0, 'rest'],
        ['duplicate', 1, 0, 0],
        ['in the middle of a renewal', 3, 0, 0],
        ['renew', 0, 0, 'rest'],
        ['reload', 0, 0, 'rest'],
        ['open', 0, 0, 0],
      ],
      { browserCount: 2 },
    ),
  ],
  [
    'a tab that had heard of a logout never handed on the next session of the same name, and two tabs renewed',
    history(
      [
        ['in the middle of a renewal', 0, 11, 'rest'],
        ['logout', 0, 0, 'rest'],
        ['open', 0, 0, 0],
        ['pass', 0, 21, 0],
        ['open', 0, 0, 0],
        ['come back', 1, 0, 'rest'],
        ['latency', 0, 0, 'rest'],
        ['close', 0, 0, 0],
        ['renew', 0, 0, 'rest'],
      ],
      { hooks: 'never end' },
      false,
    ),
  ],
  [
    'a reload after a logout signed in again, and two tabs renewed',
    history([
      ['open', 0, 0, 'rest'],
      ['in the middle of a renewal', 3, 8, 'rest'],
      ['reload', 1, 0, 0],
      ['come back', 0, 0, 0],
      ['come back', 0, 0, 'rest'],
      ['pass', 0, 0, 'rest'],
      ['open', 0, 0, 0],
      ['renew', 0, 0, 'rest'],
    ]),
  ],
  [
    'a tab found no session beside one that had come back after idle time',
    history(
      [
        ['come back', 0, 0, 'rest'],
        ['nothing heard of a sleep', 0, 4, 'rest'],
        ['nothing heard of a sleep', 0, 0, 'rest'],
        ['pass', 0, 24, 'rest'],
        ['restore connection', 0, 0, 0],
        ['open', 0, 0, 0],
        ['in the middle of a renewal', 0, 1, 'rest'],
      ],
      { config: { ...PLAIN.config, autoLogin: true, autoLogout: true } },
      false,
    ),
  ],
  [
    'a tab found no session beside one that had come back after a logout',
    history([
      ['open', 0, 0, 0],
      ['latency', 0, 2, 'rest'],
      ['duplicate', 0, 0, 'rest'],
      ['in the middle of a renewal', 1, 14, 'rest'],
      ['mount twice', 0, 0, 0],
      ['open', 0, 0, 'rest'],
      ['come back', 1, 0, 'rest'],
      ['close', 3, 0, 0],
      ['open', 0, 0, 'rest'],
      ['revoke tokens', 0, 0, 0],
      ['another session', 0, 0, 'rest'],
      ['come back', 0, 0, 0],
    ]),
  ],
  [
    'a tab that signed out in the middle of a question of another tab spoke on a closed channel',
    history(
      [
        ['duplicate', 0, 0, 0],
        ['come back', 0, 0, 'rest'],
        ['sleep', 0, 0, 0],
        ['server ends session', 0, 0, 'rest'],
        ['offline', 0, 0, 0],
        ['come back', 0, 0, 0],
        ['come back', 0, 0, 0],
        ['come back', 0, 0, 0],
        ['logout', 0, 0, 'rest'],
      ],
      { config: { ...PLAIN.config, autoLogin: true }, hasRealtime: true },
      false,
    ),
  ],
  [
    'a logout that ended with its tab, while its hook still ran, left the other tab signed in',
    history(
      [
        ['in the middle of a renewal', 0, 23, 'rest'],
        ['open', 0, 0, 'rest'],
        ['in the middle of a renewal', 0, 2, 'rest'],
        ['sleep', 0, 0, 'rest'],
        ['another session', 0, 0, 'rest'],
        ['mount twice', 0, 0, 'rest'],
        ['close', 0, 0, 0],
        ['open', 0, 0, 'rest'],
      ],
      { hooks: 'never end' },
      false,
    ),
  ],
  [
    'a logout cut off by a second mount went to the logout page, and the other tab stayed signed in',
    history(
      [
        ['login', 0, 0, 'rest'],
        ['duplicate', 0, 0, 0],
        ['come back', 0, 0, 'rest'],
        ['logout', 0, 0, 0],
        ['token', 0, 0, 'rest'],
        ['token', 0, 0, 0],
        ['mount twice', 0, 0, 'rest'],
      ],
      { hooks: 'never end' },
      false,
    ),
  ],
  [
    'a token that was handed out before a sleep was said to be too old',
    history([
      ['token', 0, 0, 0],
      ['sleep', 0, 4, 'rest'],
      ['open', 0, 0, 'rest'],
      ['open', 0, 0, 'rest'],
      ['work', 0, 0, 'rest'],
      ['restore', 0, 0, 'rest'],
      ['reload', 0, 0, 'rest'],
    ]),
  ],
  [
    'the token of two tabs ended with another user at the server, and one of them stayed signed in',
    history(
      [
        ['another user', 0, 0, 0],
        ['open', 0, 0, 0],
        ['pass', 0, 0, 'rest'],
        ['stop renewal', 3, 0, 0],
        ['in the middle of a renewal', 0, 9, 'rest'],
        ['reload', 0, 0, 'rest'],
        ['latency', 0, 0, 'rest'],
        ['another session', 0, 0, 'rest'],
        ['pass', 0, 11, 'rest'],
        ['cut connection', 0, 0, 'rest'],
      ],
      { config: { ...PLAIN.config, autoRefreshToken: true } },
      false,
    ),
  ],
  [
    'a tab that opened while another signed in again was handed the session before, and kept it',
    history(
      [
        ['open', 0, 0, 0],
        ['another user', 0, 0, 0],
        ['reload', 0, 0, 'rest'],
        ['login', 3, 0, 'rest'],
        ['another user', 0, 0, 'rest'],
        ['server', 0, 0, 'rest'],
        ['login', 0, 0, 'rest'],
        ['start', 0, 0, 'rest'],
        ['clear storage', 7, 0, 'rest'],
        ['open', 0, 0, 0],
      ],
      { channelMs: 20 },
      false,
    ),
  ],
  [
    'a session that said goodbye before its clash was decided, and began again under its own id, was never heard again',
    history(
      [
        ['open', 1, 0, 0],
        ['come back', 0, 0, 'rest'],
        ['open', 0, 0, 0],
        ['come back', 3, 0, 'rest'],
        ['pass', 0, 1, 0],
        ['stop renewal', 0, 0, 'rest'],
        ['stop renewal', 0, 0, 'rest'],
        ['logout', 7, 0, 'rest'],
        ['token', 0, 0, 'rest'],
        ['pass', 0, 0, 'rest'],
      ],
      {
        browserCount: 2,
        config: { autoLogin: true, autoLogout: false, autoRefreshToken: false, uniqueSession: true },
        hasRealtime: true,
      },
      false,
    ),
  ],
  [
    'new tokens that were on their way to a tab at a logout brought the user back there',
    history(
      [
        ['open', 0, 0, 'rest'],
        ['duplicate', 0, 0, 'rest'],
        ['renew', 0, 13, 4],
        ['logout', 4, 0, 'rest'],
      ],
      { seed: 10, channelMs: 20 },
    ),
  ],
  [
    'a logout that another page had begun to end told no tab that opened while its hook ran',
    history(
      [
        ['logout', 0, 0, 'rest'],
        ['open', 0, 0, 'rest'],
        ['clear storage', 0, 13, 'rest'],
        ['open', 0, 0, 'rest'],
      ],
      { hooks: 'never end' },
    ),
  ],
  [
    'a step-up took the place of a sign-in in a window, whose window stayed open',
    history([
      ['sign in in a window', 0, 0, 'rest'],
      ['step up', 0, 1, 'rest'],
    ]),
  ],
  [
    'a tab that opened after a sleep took a token for alive that had ended in the sleep',
    history([
      ['sleep', 0, 4, 'rest'],
      ['open', 0, 0, 0],
      ['another user', 0, 0, 'rest'],
      ['token', 1, 0, 'rest'],
      ['online', 0, 0, 'rest'],
      ['another user', 0, 0, 'rest'],
      ['another user', 0, 0, 'rest'],
      ['in the middle of a renewal', 0, 0, 0],
      ['renew', 0, 0, 'rest'],
    ]),
  ],
  [
    'the new tokens of a tab with DPoP outdid those that a tab without it had renewed, which then told no tab of them',
    history(
      [
        ['DPoP on or off', 0, 0, 'rest'],
        ['open', 0, 0, 'rest'],
        ['in the middle of a renewal', 0, 19, 0],
        ['look', 0, 0, 'rest'],
        ['open', 0, 0, 'rest'],
        ['work', 0, 0, 'rest'],
        ['renew', 1, 10, 0],
        ['another session', 0, 0, 'rest'],
      ],
      { isOpenIdConnect: true },
    ),
  ],
  [
    'a logout missed the other tabs, because the storage was emptied right after the click',
    history([
      ['open', 0, 0, 'rest'],
      ['logout', 0, 0, 0],
      ['clear storage', 0, 3, 0],
      ['pass', 0, 0, 'rest'],
    ]),
  ],
]

/** One history for each kind of move: what must never come of it. Each fails where the code is broken in the one place that it is about. */
export const MOVES: typeof FOUND = [
  [
    'a renewal of another tab takes the tokens of a step-up away',
    history([
      ['open', 0, 0, 'rest'],
      ['pass', 0, 5, 'rest'],
      ['step up', 0, 1, 'rest'],
      ['window answers', 0, 0, 'rest'],
      ['renew', 1, 1, 'rest'],
      ['pass', 0, 6, 'rest'],
    ]),
  ],
  [
    'a window whose code is on its way at a logout signs in over it',
    history([
      ['sign in in a window', 0, 0, 'rest'],
      ['latency', 0, 3, 0],
      ['window answers', 0, 0, 'rest'],
      ['logout', 0, 0, 'rest'],
      ['pass', 0, 5, 'rest'],
    ]),
  ],
  [
    'a tab takes the tokens of one that asks for other scopes',
    history([
      ['open', 0, 0, 'rest'],
      ['pass', 0, 5, 'rest'],
      ['other scopes', 1, 0, 'rest'],
      ['pass', 0, 6, 'rest'],
    ]),
  ],
  [
    'a tab without DPoP takes tokens that are bound to a key',
    history([
      ['DPoP on or off', 0, 0, 'rest'],
      ['pass', 0, 5, 'rest'],
      ['open', 0, 0, 'rest'],
      ['pass', 0, 6, 'rest'],
    ]),
  ],
  [
    'a tab goes on with the session that another one has ended',
    history([
      ['open', 0, 0, 'rest'],
      ['pass', 0, 5, 'rest'],
      ['logout', 0, 0, 'rest'],
      ['pass', 0, 5, 'rest'],
    ]),
  ],
  [
    'a machine that woke hands out a token that ended while it slept',
    history([
      ['nothing heard of a sleep', 0, 4, 'rest'],
      ['token', 0, 0, 'rest'],
    ]),
  ],
  [
    'a reload undoes a logout that the server has not heard of',
    history([
      // What was heard of the server lately counts no more.
      ['pass', 0, 8, 'rest'],
      ['server', 0, 6, 'rest'],
      ['logout', 0, 0, 'rest'],
      ['pass', 0, 7, 'rest'],
      ['server is well', 0, 0, 0],
      ['reload', 0, 0, 'rest'],
      ['pass', 0, 6, 'rest'],
    ]),
  ],
]
