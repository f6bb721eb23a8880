// Mistakes in the session that no test notices, each with its reason; survivors.ts has those in the protocol.

export interface Explanation {
  readonly file: string
  /** With an ellipsis at its end: how it begins, on one line. */
  readonly original: string
  /** Without it: whatever it is replaced by. */
  readonly replacement?: string
  readonly why: string
}

const ONLY_EQUAL = 'only asked whether it has changed since'
const NO_RANDOM = 'where messages can be sealed there is randomness'

export const SESSION_SURVIVORS: readonly Explanation[] = [
  {
    file: 'session/signIn/silentSignIn.ts',
    original: "event.type === 'message'",
    replacement: 'true',
    why: 'what is no message carries no answer that could be read',
  },
  {
    file: 'session/signedIn/tokenRefresh.ts',
    original: '0',
    replacement: '1',
    why: 'our own wait is never shorter than a second',
  },
  {
    file: 'session/signedIn/tokenRefresh.ts',
    original: 'options.remainingMs() ?? Infinity',
    replacement: 'options.remainingMs()',
    why: 'a comparison with what is missing is false anyway',
  },
  {
    file: 'session/tabs/tabChannel.ts',
    original: 'questions.delete(question)',
    why: 'a question that is settled stays settled; this frees its memory',
  },
  {
    file: 'session/tabs/tabChannel.ts',
    original: 'answers.delete(question)',
    why: 'a timer that has fired or is cancelled stays so; this frees its memory',
  },
  {
    file: 'session/tabs/tabChannel.ts',
    original: 'sealed === undefined',
    replacement: 'false',
    why: 'what is not there does not open either',
  },
  {
    file: 'session/tabs/tabChannel.ts',
    original: 'sealed === undefined ? undefined : key .open(sealed)…',
    why: 'what is not there does not open either',
  },
  {
    file: 'session/tabs/tabChannel.ts',
    original: "''",
    replacement: "'mutant'",
    why: 'nobody is asked by name before a tab has said its name',
  },
  {
    file: 'session/tabs/tabChannel.ts',
    original: '0',
    replacement: '1',
    why: `${ONLY_EQUAL}; and ${NO_RANDOM}`,
  },
  {
    file: 'session/tabs/tabChannel.ts',
    original: '1',
    replacement: '1 + 1',
    why: `${ONLY_EQUAL}; and of two random bytes the first is taken`,
  },
  {
    file: 'session/tabs/tabChannel.ts',
    original: 'platform.crypto.randomBytes?.(1)[0] ?? 0',
    replacement: 'platform.crypto.randomBytes?.(1)[0]',
    why: NO_RANDOM,
  },
  {
    file: 'session/tabs/tabChannel.ts',
    original: 'agreed?.blocks ?? []',
    replacement: 'agreed?.blocks',
    why: 'without a shared store nothing is agreed on, and the error that follows says so too',
  },
  {
    file: 'session/tabs/tabChannel.ts',
    original: 'cancel()',
    why: 'a lock that is held cannot be given up waiting for, and the timer is cancelled at the end',
  },
  {
    file: 'session/tabs/tabChannel.ts',
    original: 'takeOverCount !== wantedAt',
    replacement: 'false',
    why: 'the same is asked again before anything is done; this saves asking around',
  },
  {
    file: 'session/tabs/tabChannel.ts',
    original: 'false',
    replacement: 'true',
    why: 'without a shared store it is not looked at, and with one it is set first',
  },
  {
    file: 'session/tabs/tabChannel.ts',
    original: 'false',
    replacement: 'true',
    why: 'what the tabs agree on takes its place, and without that nobody is told',
  },
  {
    file: 'session/tabs/tabChannel.ts',
    original: 'hasSiblings',
    replacement: 'true',
    why: 'nobody is asked who is not there',
  },
  {
    file: 'session/tabs/tabChannel.ts',
    original: 'hasSiblings ? generation + 1 : generation',
    replacement: 'generation + 1',
    why: 'nobody is asked who is not there',
  },
]
