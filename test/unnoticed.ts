// Mistakes that no test notices, each with its reason: the program does the same with them, or nobody could tell.
import type { Mutant } from '../scripts/mutation/instrument.ts'

/** A file under src/, the text with the mistake, and what it is replaced by; without that, whatever. A text with an ellipsis at its end begins so. */
type Place = readonly [file: string, original: string, replacement?: string]

const EXPLAINED: readonly (readonly [why: string, ...places: Place[]])[] = [
  [
    'Number.isFinite refuses what is no number; the first half is there for TypeScript',
    ['protocol/endpoints', "typeof value === 'number'", 'true'],
    ['protocol/linkMap', "typeof value === 'number'", 'true'],
  ],
  [
    'Number.isSafeInteger refuses what is no number; the first part is there for TypeScript',
    ['protocol/presence', "typeof since !== 'number'", 'false'],
  ],
  [
    'a comparison with what is missing is false anyway; the first half is there for TypeScript',
    ['protocol/claims', 'exp !== undefined', 'true'],
    ['protocol/claims', 'iat !== undefined', 'true'],
    [
      'protocol/claims',
      'exp !== undefined && iat !== undefined',
      '(exp !== undefined) || (iat !== undefined)',
    ],
    ['protocol/passthrough', 'exp !== undefined', 'true'],
    ['protocol/tokens', 'seconds !== undefined', 'true'],
    ['protocol/userText', 'error.status !== undefined', 'true'],
    ['protocol/uniqueSession', 'state.announceAtMs !== undefined', 'true'],
  ],
  [
    'a member that is null counts as left out before this is asked',
    ['protocol/config', 'value !== null', 'true'],
  ],
  [
    'parseUrl refuses what is no text; the test is there for TypeScript',
    ['protocol/handOver', "typeof redirect !== 'string'", 'false'],
    ['protocol/origin', "typeof value !== 'string'", 'false'],
  ],
  [
    'neither is a code, a number or a sentence; the pattern always fills the name',
    ['protocol/challenge', "''", "'mutant'"],
    ['protocol/challenge', "each.get('error') ?? ''", "each.get('error')"],
    ['protocol/challenge', "asking.get('max_age') ?? ''", "asking.get('max_age')"],
  ],
  ['base64 has no text of 3,001 characters', ['protocol/challenge', '3_000', '3_000 + 1']],
  [
    'behind the end of the text there is nothing to compare',
    ['protocol/redaction', 'from < text.length', '(from) <= (text.length)'],
  ],
  [
    'what is missing is no text, and gives way to the English one two lines below',
    ['protocol/messages', 'messages[name] ?? english', 'messages[name]'],
  ],
  [
    'the pattern takes no more characters either; this only saves reading a megabyte',
    ['protocol/presence', 'value.length > LARGEST_NAME_LENGTH', 'false'],
  ],
  [
    'the pattern always fills both groups; the defaults are there for TypeScript',
    ['protocol/presence', "''", "'mutant'"],
  ],
  ['asked only where the two differ', ['protocol/presence', 'a.since > b.since', '(a.since) >= (b.since)']],
  [
    'Object.isFrozen says yes of whatever is no object',
    ['protocol/presence', "typeof item !== 'object'", 'false'],
    ['protocol/presence', 'item === null', 'false'],
    [
      'protocol/presence',
      "typeof item !== 'object' || item === null",
      "(typeof item !== 'object') && (item === null)",
    ],
  ],
  [
    'where the two are equal either gives the same',
    ['protocol/pubnubSdk', 'leftMs < lifeMs', '(leftMs) <= (lifeMs)'],
  ],
  [
    'a minute is reached after six failures; the limit is there against numbers without end',
    ['protocol/pubnubSdk', '10', '10 + 1'],
  ],
  [
    'parseOrigin takes http on loopback alone, whose names end in no top-level domain',
    ['protocol/redirection', "url.protocol !== 'https:'", 'false'],
  ],
  ['cuts the same letter of both labels that are compared', ['protocol/redirection', '1', '1 + 1']],
  [
    'an IP address ends in no top-level domain either; said by itself on purpose',
    ['protocol/redirection', "hostname.startsWith('[')"],
    ['protocol/redirection', "hostname.startsWith('[') || /^[\\d.]+$/.test(hostname)"],
  ],
  [
    'every name stands in the list once',
    ['protocol/claims', 'END_REASONS.find((reason) => reason === value)'],
  ],
  [
    'neither is a date',
    ['protocol/refusal', "''", "'mutant'"],
    ['protocol/refusal', "retryAfter ?? ''", 'retryAfter'],
  ],
  [
    'what is missing is no state by its form either',
    ['protocol/signIn', "read('state') ?? ''", "read('state')"],
  ],
  [
    'the list does not hold what is missing; the first half is there for TypeScript',
    ['protocol/signIn', 'answer.error !== undefined', 'true'],
  ],
  [
    'a count of 0 and none that can be read are both 0',
    ['protocol/tabMessages', '0', '1'],
    ['protocol/tabMessages', 'Number(value) >= 0', '(Number(value)) > (0)'],
  ],
  [
    'the pattern always fills path and hash, and an empty piece has no name that anybody asks for',
    ['protocol/address', "''", "'mutant'"],
  ],
  [
    'a copy with the same members: nobody asks whether it is the same object',
    ['protocol/uniqueSession', 'isAsking', 'true'],
    ['protocol/uniqueSession', 'isAsking ? { ...state, occupants } : state', '{ ...state, occupants }'],
  ],
  ['a round sets it before anybody reads it', ['protocol/uniqueSession', '0', '1']],
  ['the first claim is sent whatever it says, and clears it', ['protocol/uniqueSession', 'false', 'true']],
  [
    'what is no message carries no answer that could be read',
    ['session/signIn/hiddenFrame', "event.type === 'message'", 'true'],
  ],
  [
    'no wait here is shorter than a second, and no page asks in the first millisecond of its clock',
    ['session/signedIn/tokenRefresh', '0', '1'],
  ],
  ['nobody is asked by name before a tab has said its name', ['session/tabs/tabChannel', "''", "'mutant'"]],
  [
    'only asked whether it has changed since',
    ['session/tabs/tabChannel', '0', '1'],
    ['session/tabs/tabChannel', '1', '1 + 1'],
  ],
]

export function explanationOf({
  file,
  original,
  replacement,
}: Pick<Mutant, 'file' | 'original' | 'replacement'>): string | undefined {
  const isMeant = ([where, text, by]: Place) =>
    file === `src/${where}.ts` && isOriginal(original, text) && (by === undefined || by === replacement)
  return EXPLAINED.find(([, ...places]) => places.some(isMeant))?.[0]
}

function isOriginal(text: string, pattern: string): boolean {
  if (!pattern.endsWith('…')) return text === pattern
  return text.replaceAll(/\s+/g, ' ').startsWith(pattern.slice(0, -1))
}
