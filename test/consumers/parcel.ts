// The packed package in an app of Parcel: a page that names its own TypeScript, and what docs/compatibility.md has in package.json.
import { codeIn, readDocsPage } from '../../scripts/docsParts.ts'
import { serveFolder } from '../../scripts/serveFolder.ts'
import { pageWith, type Sandboxes } from './sandbox.ts'
import type { Desk } from './signIn.ts'
import { quickStart } from './types.ts'

/** Builds the quick start's app, serves it, and signs in. */
export async function checkParcel(sandboxes: Sandboxes, desk: Desk): Promise<string> {
  const sandbox = sandboxes.open('parcel', ['react', 'react-dom', '@tanstack/react-query', 'parcel@2.16.4'])
  const settings = codeIn(readDocsPage('compatibility.md'), 'json').find((code) => code.includes('parcel'))
  if (settings === undefined) throw new Error('docs/compatibility.md has no settings for Parcel')
  const files = Object.entries(quickStart()).map(([path, text]) => [
    path,
    text.replace('http://localhost:4700', desk.authHost),
  ])
  sandbox.write({
    ...(Object.fromEntries(files) as Record<string, string>),
    'index.html': pageWith('./src/main.tsx'),
    'package.json': JSON.stringify({
      ...(JSON.parse(sandbox.read('package.json')) as object),
      ...(JSON.parse(settings) as object),
    }),
  })
  sandbox.run('parcel', 'build', 'index.html', '--dist-dir', 'dist', '--no-cache')
  const server = await serveFolder(sandbox.path, 'dist')
  try {
    await desk.signIn(`${server.origin}/?page=2`)
  } finally {
    await server.close()
  }
  const named = sandbox.read('dist/index.html').match(/src="?[^" >]+\.js/g) ?? []
  return `builds and signs in with the settings of docs/compatibility.md; files that the page names: ${named.length}`
}
