// The files of docs/quickStart.md, as `npx latchkey init` writes them.
import { readFileSync } from 'node:fs'
import type { QuickStart } from '../src/cli/init.ts'

export function readQuickStart(): QuickStart {
  const page = readFileSync('docs/quickStart.md', 'utf8').replaceAll('\r\n', '\n')
  const [app = '', oidcPart = ''] = page.split('\n## With an OpenID Connect provider\n')
  const filesOf = (text: string) =>
    [...text.matchAll(/^`([\w./]+)`.*\n\n```\w+\n([\s\S]*?)```/gm)].map(
      ([, path = '', content = '']) => [path, content] as const,
    )
  const oidcAuth = filesOf(oidcPart).find(([path]) => path === 'src/auth.ts')?.[1]
  const files = Object.fromEntries(filesOf(app))
  if (oidcAuth === undefined || !('src/auth.ts' in files))
    throw new Error('docs/quickStart.md has no src/auth.ts')
  return { files, oidcAuth }
}
