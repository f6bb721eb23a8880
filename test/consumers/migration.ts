// The apps of examples/migration: each as it was with another library, and moved to latchkey as its section of docs/migration.md says.
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Sandboxes } from './sandbox.ts'
import { compile } from './types.ts'

const PACKAGES = [
  'react',
  'react-dom',
  '@types/react',
  '@types/react-dom',
  '@tanstack/react-query',
  'typescript-7.0@npm:typescript@7.0.2',
  '@auth0/auth0-react@2.27.0',
  '@auth0/auth0-spa-js@2.27.0',
  '@azure/msal-browser@5.29.0',
  '@azure/msal-react@5.7.1',
  'keycloak-js@26.2.4',
  'oidc-client-ts@3.5.0',
  'oidc-spa@10.2.11',
  'react-oidc-context@3.3.1',
]

export function checkMigration(sandboxes: Sandboxes): string {
  const paths = globSync('examples/migration/*/*.{ts,tsx}')
  const names = [...new Set(paths.map((path) => basename(dirname(path))))].toSorted()
  const page = readFileSync('docs/migration.md', 'utf8')
  const sections = [...page.matchAll(/^## ([\w-]+-[\w-]+)$/gm)].map(([, name = '']) => name)
  if (sections.join() !== names.join())
    throw new Error(
      `docs/migration.md has sections for ${sections.join(', ')}, examples/migration has ${names.join(', ')}`,
    )

  const sandbox = sandboxes.open('migration', PACKAGES)
  for (const path of paths)
    sandbox.write({ [`${basename(dirname(path))}/${basename(path)}`]: readFileSync(path, 'utf8') })
  const faults = names.flatMap((name) => compile(sandbox, '7.0', name, { skipLibCheck: true }))
  if (faults.length > 0) throw new Error(faults.join('\n'))

  return `${names.join(', ')}: an app with each compiles, and so does the same app moved as its page says`
}
