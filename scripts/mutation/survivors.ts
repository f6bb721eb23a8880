// Mistakes that no test notices, each with its reason: the program does the same with them, or nobody could tell.
import type { Mutant } from './instrument.ts'
import { type Explanation, SESSION_SURVIVORS } from './sessionSurvivors.ts'

const FINITE = 'Number.isFinite refuses what is no number; the first half is there for TypeScript'
const EMPTY = 'the number of an empty text is 0, and a life of nothing is none'
const MISSING = 'a comparison with what is missing is false anyway; the first half is there for TypeScript'
const NO_TEXT = 'parseUrl refuses what is no text; the test is there for TypeScript'
const FROZEN = 'Object.isFrozen says yes of whatever is no object'
const COPY = 'a copy with the same members: nobody asks whether it is the same object'
const FIRST_ROUND = 'a round sets it before anybody reads it'
const NAMED_ONCE = 'every name stands in the list once'

const EXPLAINED: readonly Explanation[] = [
  { file: 'protocol/tokens.ts', original: "typeof seconds === 'number'", replacement: 'true', why: FINITE },
  { file: 'protocol/claims.ts', original: "typeof number === 'number'", replacement: 'true', why: FINITE },
  { file: 'protocol/clash.ts', original: "typeof sinceMs === 'number'", replacement: 'true', why: FINITE },
  { file: 'protocol/endpoints.ts', original: "typeof value === 'number'", replacement: 'true', why: FINITE },
  { file: 'protocol/linkMap.ts', original: "typeof value === 'number'", replacement: 'true', why: FINITE },
  {
    file: 'protocol/presence.ts',
    original: "typeof since !== 'number'",
    replacement: 'false',
    why: 'Number.isSafeInteger refuses what is no number; the first part is there for TypeScript',
  },
  { file: 'protocol/tokens.ts', original: "value.trim() !== ''", replacement: 'true', why: EMPTY },
  { file: 'protocol/tokens.ts', original: 'value.trim()', replacement: 'value', why: EMPTY },
  { file: 'protocol/tokens.ts', original: "''", replacement: "'mutant'", why: EMPTY },
  { file: 'protocol/claims.ts', original: 'exp !== undefined', replacement: 'true', why: MISSING },
  { file: 'protocol/claims.ts', original: 'iat !== undefined', replacement: 'true', why: MISSING },
  {
    file: 'protocol/claims.ts',
    original: 'exp !== undefined && iat !== undefined',
    replacement: '(exp !== undefined) || (iat !== undefined)',
    why: MISSING,
  },
  { file: 'protocol/passthrough.ts', original: 'exp !== undefined', replacement: 'true', why: MISSING },
  { file: 'protocol/userText.ts', original: 'error.status !== undefined', replacement: 'true', why: MISSING },
  {
    file: 'protocol/uniqueSession.ts',
    original: 'state.announceAtMs !== undefined',
    replacement: 'true',
    why: MISSING,
  },
  {
    file: 'protocol/config.ts',
    original: 'value !== null',
    replacement: 'true',
    why: 'a member that is null counts as left out before this is asked',
  },
  {
    file: 'protocol/handOver.ts',
    original: "typeof redirect !== 'string'",
    replacement: 'false',
    why: NO_TEXT,
  },
  {
    file: 'protocol/sameOriginPath.ts',
    original: "typeof value !== 'string'",
    replacement: 'false',
    why: NO_TEXT,
  },
  {
    file: 'protocol/messages.ts',
    original: 'messages[name] ?? english',
    replacement: 'messages[name]',
    why: 'what is missing is no text, and gives way to the English one two lines below',
  },
  {
    file: 'session/realtime/occupants.ts',
    original: 'presenceId === undefined',
    replacement: 'false',
    why: 'a description without a name is one that nobody asks for',
  },
  {
    file: 'protocol/presence.ts',
    original: 'value.length > LARGEST_NAME_LENGTH',
    replacement: 'false',
    why: 'the pattern takes no more characters either; this only saves reading a megabyte',
  },
  {
    file: 'protocol/presence.ts',
    original: "''",
    replacement: "'mutant'",
    why: 'the pattern always fills both groups; the defaults are there for TypeScript',
  },
  {
    file: 'protocol/presence.ts',
    original: 'a.since > b.since',
    replacement: '(a.since) >= (b.since)',
    why: 'asked only where the two differ',
  },
  { file: 'protocol/presence.ts', original: "typeof item !== 'object'", replacement: 'false', why: FROZEN },
  { file: 'protocol/presence.ts', original: 'item === null', replacement: 'false', why: FROZEN },
  {
    file: 'protocol/presence.ts',
    original: "typeof item !== 'object' || item === null",
    replacement: "(typeof item !== 'object') && (item === null)",
    why: FROZEN,
  },
  {
    file: 'protocol/pubnubSdk.ts',
    original: 'leftMs < lifeMs',
    replacement: '(leftMs) <= (lifeMs)',
    why: 'where the two are equal either gives the same',
  },
  {
    file: 'protocol/pubnubSdk.ts',
    original: '10',
    replacement: '10 + 1',
    why: 'a minute is reached after six failures; the limit is there against numbers without end',
  },
  {
    file: 'protocol/redirection.ts',
    original: "url.protocol !== 'https:'",
    replacement: 'false',
    why: 'parseOrigin takes http on loopback alone, whose names end in no top-level domain',
  },
  {
    file: 'protocol/redirection.ts',
    original: '1',
    replacement: '1 + 1',
    why: 'cuts the same letter of both labels that are compared',
  },
  {
    file: 'protocol/redirection.ts',
    original: "hostname.startsWith('[')",
    why: 'an IP address ends in no top-level domain either; said by itself on purpose',
  },
  {
    file: 'protocol/redirection.ts',
    original: "hostname.startsWith('[') || /^[\\d.]+$/.test(hostname)",
    why: 'an IP address ends in no top-level domain either; said by itself on purpose',
  },
  {
    file: 'protocol/redirection.ts',
    original: 'CLAIMS.find((known) => known === name)',
    why: NAMED_ONCE,
  },
  {
    file: 'protocol/claims.ts',
    original: 'END_REASONS.find((reason) => reason === value)',
    why: NAMED_ONCE,
  },
  {
    file: 'protocol/refusal.ts',
    original: "''",
    replacement: "'mutant'",
    why: 'neither is a date',
  },
  {
    file: 'protocol/refusal.ts',
    original: "retryAfter ?? ''",
    replacement: 'retryAfter',
    why: 'neither is a date',
  },
  {
    file: 'protocol/signIn.ts',
    original: "read('state') ?? ''",
    replacement: "read('state')",
    why: 'what is missing is no state by its form either',
  },
  {
    file: 'protocol/signIn.ts',
    original: 'answer.error !== undefined',
    replacement: 'true',
    why: 'the list does not hold what is missing; the first half is there for TypeScript',
  },
  {
    file: 'protocol/tabMessages.ts',
    original: '1',
    replacement: '1 + 1',
    why: 'any number below 0 says that no life is known',
  },
  {
    file: 'protocol/tabMessages.ts',
    original: '0',
    replacement: '1',
    why: 'a count of 0 and none that can be read are both 0',
  },
  {
    file: 'protocol/tabMessages.ts',
    original: 'Number(value) >= 0',
    replacement: '(Number(value)) > (0)',
    why: 'a count of 0 and none that can be read are both 0',
  },
  {
    file: 'protocol/address.ts',
    original: "''",
    replacement: "'mutant'",
    why: 'the pattern always fills path and hash, and an empty piece has no name that anybody asks for',
  },
  {
    file: 'protocol/address.ts',
    original: "['', '']",
    replacement: '[]',
    why: 'an empty piece has no name that anybody asks for',
  },
  {
    file: 'protocol/uniqueSession.ts',
    original: 'occupants === state.occupants',
    replacement: 'false',
    why: COPY,
  },
  {
    file: 'protocol/uniqueSession.ts',
    original: 'occupants === state.occupants ? state : { ...state, occupants }',
    replacement: '{ ...state, occupants }',
    why: COPY,
  },
  { file: 'protocol/uniqueSession.ts', original: 'isAsking', replacement: 'true', why: COPY },
  {
    file: 'protocol/uniqueSession.ts',
    original: 'isAsking ? { ...state, occupants } : state',
    replacement: '{ ...state, occupants }',
    why: COPY,
  },
  { file: 'protocol/uniqueSession.ts', original: '0', replacement: '1', why: FIRST_ROUND },
  {
    file: 'protocol/uniqueSession.ts',
    original: 'false',
    replacement: 'true',
    why: 'the first claim is sent whatever it says, and clears it',
  },
  ...SESSION_SURVIVORS,
]

export function explanationOf({
  file,
  original,
  replacement,
}: Pick<Mutant, 'file' | 'original' | 'replacement'>): string | undefined {
  return EXPLAINED.find(
    (one) =>
      file === `src/${one.file}` &&
      isOriginal(original, one.original) &&
      (one.replacement === undefined || one.replacement === replacement),
  )?.why
}

function isOriginal(text: string, pattern: string): boolean {
  if (!pattern.endsWith('…')) return text === pattern
  return text.replaceAll(/\s+/g, ' ').startsWith(pattern.slice(0, -1))
}
