// JSON with comments: the same text as JSON, every character in its place.
import { scan } from './scan.ts'

/** The text with spaces in place of comments and of commas before a closing bracket; line ends stay. */
export function toJson(text: string): string {
  const parts: string[] = []
  let at = 0
  for (const { code, offset, length } of scan(text, { most: Infinity })) {
    if (code !== 'comment' && code !== 'trailing-comma') continue
    parts.push(text.slice(at, offset), text.slice(offset, offset + length).replaceAll(/[^\n\r]/g, ' '))
    at = offset + length
  }
  return parts.join('') + text.slice(at)
}
