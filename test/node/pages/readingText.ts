// Takes a page apart into what a person reads: sentences of paragraphs, list items and cells, without code, link targets and quoted texts.

const CODE = '`code`'

/** Pieces that stand alone on the page; no sentence goes on from one to the next. */
function piecesOf(page: string): string[] {
  const text = page
    .replaceAll('\r\n', '\n')
    .replaceAll(/^ *(`{3,})[\s\S]*?^ *\1 *$/gm, '\n\n')
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    // Quotations are exact texts of errors; the code they come from decides about them.
    .replaceAll(/^> .*$/gm, '\n')
    // A change to "`a` | b" would look like two cells.
    .replaceAll(/(`+)[\s\S]*?\1/g, CODE)
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
  return text
    .split(/\n\s*\n|\n(?= *(?:[-*] |\d+\. |#+ |\|))/)
    .flatMap((block) => (block.trimStart().startsWith('|') ? block.split(/\n|(?<!\\)\|/) : [block]))
    .map((piece) =>
      piece
        .replace(/^\s*(?:[-*] |\d+\. |#+ )/, '')
        .replaceAll(/\*\*|__/g, '')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
    .filter((piece) => /\p{L}/u.test(piece))
}

export const sentencesOf = (page: string): string[] =>
  piecesOf(page).flatMap((piece) => piece.split(/(?<=[.!?][”"')\]]*) (?=[^\p{Ll}]|latchkey)/u))

export const countWords = (sentence: string): number =>
  sentence.split(' ').filter((word) => /[\p{L}\p{N}]/u.test(word)).length

/** Words that stop a reader, and what to write in their place. */
export const BANNED: readonly (readonly [pattern: RegExp, write: string])[] = [
  [/\banswer(?:s|ed|ing)?\b/i, 'returns; "response" for the server’s'],
  [/(?<!PKCE \()\bproof key/i, 'PKCE'],
  [/\btold to\b|\bsays? of (?:it|them)sel/i, 'is asked to; reports'],
  [/\bours\b/i, 'latchkey’s'],
  [/\bbreath\b|\bticks?\b|\bmoments?\b/i, 'synchronously, in the same task'],
  [/\b(?:a|one) (?:session|sign-in|user) an? (?:user|page|session|visit)\b/i, 'one session per user'],
  [/\bone an? (?:item|page|user|thing|attempt)\b|\ba \w+ each\b/i, 'one per item'],
  [/\bgo(?:es)? on by (?:it|them)sel/i, 'continues automatically'],
  [/\bout of the address\b/i, 'removed from the URL'],
  [/\bfor nothing\b/i, 'is discarded'],
  [/\bbears? with\b/i, 'tolerates'],
  [/\bleft alone\b|\bleaves? (?:it|them) alone\b/i, 'is unaffected'],
  [/\bcompany\b|\bstrangers?\b|\brivals?\b/i, 'occupants, unannounced client, conflicting session'],
  [/\bupkeep\b|\bkeepers?\b|\bcompanions?\b|\bvaults?\b|\bledgers?\b|\bhints?\b/i, 'the field’s own term'],
  [/\binteriors?\b|\barrivals?\b|\bleaving\b/i, 'internals, callback, sign-in redirect'],
  [/\bclaim(?:s|ed|ing)? (?:the|a) lock\b/i, 'takes the lock'],
  [/\b(?:holds?|takes?|drops?) (?:the|a) line\b/i, 'connection'],
  [/\bdoomed\b/i, 'silent sign-in disabled until …'],
  [
    /\bspec(?:ification)?\b[^.]{0,20}§|\bcontract\b[^.]{0,5}§|\bthe specification\b/i,
    'what a reader can open',
  ],
]

export const bannedIn = (sentence: string): string[] =>
  BANNED.flatMap(([pattern, write]) => {
    const [found] = pattern.exec(sentence) ?? []
    return found === undefined ? [] : [`"${found}" (write: ${write})`]
  })
