// The files of docs/quickStart.md, as `npx latchkey init` writes them.
import type { QuickStart } from '../src/cli/init.ts'
import { filesOf, readDocsPage } from './docsParts.ts'

export function readQuickStart(): QuickStart {
  const [app = '', oidcPart = ''] = readDocsPage('quickStart.md').split(
    '\n## With an OpenID Connect provider\n',
  )
  const files = filesOf(app)
  const oidcConfig = filesOf(oidcPart)['src/authConfig.ts']
  if (oidcConfig === undefined || !('src/authConfig.ts' in files))
    throw new Error('docs/quickStart.md has no src/authConfig.ts')
  return { files, oidcConfig }
}
