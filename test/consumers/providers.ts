// The first page of a provider, walked by the page alone: an app made by its commands and its code, signed in at the provider's stand-in in a real browser.
import { availableParallelism } from 'node:os'
import { type BrowserContext, chromium, type Route } from 'playwright'
import { type RunningStandIn, startStandIn } from '../../demo/servers/oidc/startStandIn.ts'
import { codeIn, readDocsPage, sectionOf } from '../../scripts/docsParts.ts'
import { readQuickStart } from '../../scripts/quickStartFiles.ts'
import { chromiumLaunchOptions } from '../../scripts/findChromium.ts'
import { STAND_INS } from '../oidc/interop/standIns.ts'
import { tableOf, writeResult } from '../../scripts/writtenPage.ts'
import { pageWith, type Sandboxes, STRICT_TSCONFIG } from './sandbox.ts'
import { serveWith } from './serveWith.ts'

export const PROVIDERS = ['keycloak', 'entra', 'auth0', 'okta'] as const
type ProviderName = (typeof PROVIDERS)[number]

/** What somebody may take for it, the provider's own screens not counted. */
const LIMIT_IN_SECONDS = 300

/** A row of evidence/providers.md for each provider that was walked. */
const walked = new Map<ProviderName, readonly string[]>()

/** What `npm create vite` installs for React and TypeScript. */
const TEMPLATE = [
  'react',
  'react-dom',
  'vite',
  '@vitejs/plugin-react',
  'typescript',
  '@types/node',
  '@types/react',
  '@types/react-dom',
]

export async function checkProvider(sandboxes: Sandboxes, name: ProviderName): Promise<string> {
  const startedAtMs = Date.now()
  const page = readDocsPage(`servers/${name}.md`)
  const [heading = ''] = /^## \w+ steps to a signed-in user$/m.exec(page) ?? []
  const steps = sectionOf(page, heading)
  const [, indented = ''] =
    /^\d\. .*`src\/authConfig\.ts` becomes .*:\n\n {3}```ts\n([\s\S]*?)^ {3}```/m.exec(steps) ?? []
  if (indented === '') throw new Error(`docs/servers/${name}.md has no src/authConfig.ts in its steps`)
  const authConfig = indented.replaceAll(/^ {3}/gm, '')
  const [, clientId = ''] = /clientId: '(.+)'/.exec(authConfig) ?? []

  const commands = preparation()
  const sandbox = sandboxes.open(`provider-${name}`, [...TEMPLATE, '@tanstack/react-query'])
  sandbox.write({
    'index.html': pageWith('/src/main.tsx'),
    'tsconfig.json': STRICT_TSCONFIG,
    'vite.config.ts': readQuickStart().files['vite.config.ts'] ?? '',
  })
  sandbox.run('latchkey', 'init')
  sandbox.write({ 'src/authConfig.ts': authConfig })
  sandbox.run('tsc')

  const { provider } = STAND_INS[name]
  const standIn = await startStandIn(provider, { clientId })
  const browser = await chromium.launch(chromiumLaunchOptions())
  /** Signs in at the app of this origin, and again after a reload; returns the seconds since the first command. */
  const signIn = async (origin: string): Promise<string> => {
    const context = await browser.newContext()
    context.setDefaultTimeout(30_000)
    const hosts = [new URL(provider.issuer).host, ...(provider.hosts ?? [])]
    await context.route(
      ({ host }) => hosts.includes(host),
      async (route) => answer(route, context, standIn),
    )
    const tab = await context.newPage()
    await tab.goto(origin)
    await tab.locator('input[name=login]').fill('anna')
    await tab.locator('input[name=password]').fill('any')
    await tab.locator('button[type=submit]').click()
    const greeted = async () =>
      tab
        .getByRole('heading', { name: 'Hello anna' })
        .waitFor()
        .catch(async (cause: unknown) => {
          throw new Error(`${tab.url()} shows: ${await tab.locator('body').innerText()}`, { cause })
        })
    await greeted()
    const seconds = Math.ceil((Date.now() - startedAtMs) / 1000)
    await tab.reload()
    await greeted()
    await context.close()
    return String(seconds)
  }
  try {
    const seconds = await serveWith(sandbox, ['vite/bin/vite.js', '--port', '0'], signIn)
    if (Number(seconds) > LIMIT_IN_SECONDS) throw new Error(`signed in after ${seconds} s`)
    sandbox.run('vite', 'build')
    await serveWith(sandbox, ['vite/bin/vite.js', 'preview', '--port', '0'], signIn)
    const count = commands.length + 2
    walked.set(name, [provider.name, `docs/servers/${name}.md`, `${count} and one file`, `${seconds} s`])
    return `by docs/servers/${name}.md alone: ${count} commands and one file; signed in at its stand-in, and after a reload, by Vite's server and as built`
  } finally {
    await browser.close()
    await standIn.close()
  }
}

/** Writes the walks of this run into evidence/providers.md, where all four were walked. */
export function recordWalks(): void {
  if (walked.size < PROVIDERS.length) return
  const today = new Date().toISOString().slice(0, 10)
  const head = ['provider', 'page', 'commands', 'signed in after the first command']
  writeResult(
    'evidence/providers.md',
    `On ${today}, ${availableParallelism()} cores, Node ${process.version}.\n\n${tableOf([head, ...walked.values()])}`,
  )
}

/** The commands of the quick start's second step; `npx latchkey init` and `npm run dev` come after them. */
function preparation(): string[] {
  const [block = ''] = codeIn(sectionOf(readDocsPage('quickStart.md'), '## 2. An empty app'), 'sh')
  const commands = block.trim().split('\n')
  if (commands[2]?.endsWith(' @tanstack/react-query') !== true)
    throw new Error('docs/quickStart.md installs something else')
  return commands
}

/** The stand-in at the provider's own address. A driver follows no redirect of its own responses, so a page does. */
async function answer(route: Route, context: BrowserContext, standIn: RunningStandIn): Promise<void> {
  const request = route.request()
  const url = request.url()
  const cookies = await context.cookies(url)
  const body = request.postData()
  const response = await standIn.fetch(url, {
    method: request.method(),
    headers: {
      ...request.headers(),
      cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
    },
    redirect: 'manual',
    ...(body !== null && { body }),
  })
  const setCookie = response.headers.getSetCookie().join('\n')
  const location = response.headers.get('location')
  if (location !== null && request.isNavigationRequest())
    return route.fulfill({
      contentType: 'text/html',
      headers: { ...(setCookie && { 'set-cookie': setCookie }) },
      body: `<script>location.replace(${JSON.stringify(new URL(location, url).href)})</script>`,
    })
  const {
    'set-cookie': _cookies,
    'content-length': _length,
    ...headers
  } = Object.fromEntries(response.headers)
  return route.fulfill({
    status: response.status,
    headers: { ...headers, ...(setCookie && { 'set-cookie': setCookie }) },
    body: Buffer.from(await response.arrayBuffer()),
  })
}
