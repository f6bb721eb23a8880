// Reads which secrets the table in docs/security.md has a row for, for the scans that hold it to what they find.
import { readFileSync } from 'node:fs'

/** Names of the rows, as they stand there. */
export function readSecurityRows(): string[] {
  const [, table = ''] = readFileSync('docs/security.md', 'utf8').split('## Where secrets may be')
  return [...(table.split('\n## ')[0] ?? '').matchAll(/^\| (.+?) +\|/gm)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'secret' && !name.startsWith('---'))
}
