// Collects every secret of a session as it goes over the wire, looks for each wherever somebody could find it, and knows where it may be.
import { dehydrate } from '@tanstack/react-query'
import { inspect } from 'node:util'
import { createSupportBundle } from '../../../src/devtools/index.ts'
import type { Auth } from '../../../src/session/auth.ts'
import type { FakeHost } from '../../../src/testing/fakeHost.ts'
import type { CloudScene } from '../calls/cloudScene.tsx'
import { reachableTexts } from '../../reachableTexts.ts'

type Kind =
  | 'access token'
  | 'refresh token'
  | 'verifier'
  | 'code'
  | 'jti'
  | 'nonce'
  | 'cloud token'
  | 'request code'
  | 'assertion'

export interface Hit {
  readonly kind: Kind
  readonly place: string
}

/** Rows of the table in docs/security.md, and where a scan may meet what each is about. */
export const ALLOWED: Readonly<Record<string, readonly Hit[]>> = {
  'access token': [{ kind: 'access token', place: 'authorization header' }],
  'refresh token and its verifier': [
    { kind: 'refresh token', place: 'body of POST /oauth/token' },
    { kind: 'verifier', place: 'body of POST /oauth/token' },
  ],
  'both, on the way to another tab': [],
  'verifier of a sign-in in progress': [{ kind: 'verifier', place: 'session storage' }],
  code: [
    { kind: 'code', place: 'body of POST /oauth/token' },
    { kind: 'code', place: 'address at the load' },
  ],
  '`jti` of passthrough': [{ kind: 'jti', place: 'navigation' }],
  'token that a link brings': [],
  'nonce of reauthenticate': [{ kind: 'nonce', place: 'address of the popup' }],
  "cloud provider's access token": [],
  "support's request code, assertion": [
    { kind: 'request code', place: 'body of POST /support/authorization' },
    { kind: 'assertion', place: 'body of POST /oauth/token' },
  ],
  'access token of real time': [],
}

/** One page of a flow, with the address that it was loaded with. */
export interface ScannedPage {
  readonly host: FakeHost
  readonly auth: Auth
  readonly loadedWith: string
}

/** Keeps what answers bring; give it every answer. */
export interface SecretCollector {
  readonly secrets: ReadonlyMap<string, Kind>
  plant(kind: Kind, secret: string | undefined): void
  readAnswer(request: Request, response: Response): Promise<void>
}

export function createSecretCollector(): SecretCollector {
  const secrets = new Map<string, Kind>()
  const plant: SecretCollector['plant'] = (kind, secret) => {
    // The first name counts: an assertion that is a token is planted as one.
    if (secret !== undefined && secret !== '' && !secrets.has(secret)) secrets.set(secret, kind)
  }
  return {
    secrets,
    plant,
    async readAnswer(request, response) {
      const text = await response.clone().text()
      const { pathname } = new URL(request.url)
      const member = (name: string) => new RegExp(`"${name}":"([^"]+)"`).exec(text)?.[1]
      if (pathname === '/oauth/token') {
        plant('access token', member('access_token'))
        plant('refresh token', member('refresh_token'))
        const claims = atob(
          (member('access_token')?.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'),
        )
        plant('jti', /"jti":"([^"]+)"/.exec(claims)?.[1])
      }
      if (pathname.startsWith('/cloudprovider/accesstoken')) plant('cloud token', member('access_token'))
      if (pathname.endsWith('/reauthenticate/link')) plant('nonce', member('nonce'))
    },
  }
}

/** What the bodies of the page's own requests tell of its secrets. */
export function plantSent(collector: SecretCollector, { host, loadedWith }: ScannedPage): void {
  for (const { url, body = '{}' } of host.requests) {
    if (!url.endsWith('/oauth/token')) continue
    const { code, code_verifier, refresh_token } = JSON.parse(body) as Record<string, string>
    collector.plant('code', code)
    collector.plant('verifier', code_verifier)
    collector.plant('refresh token', refresh_token)
  }
  collector.plant('code', new URL(loadedWith).searchParams.get('code') ?? undefined)
  const record = Object.values(host.sessionStorage.entries()).join(' ')
  for (const [, verifier] of record.matchAll(/"verifier":"([^"]+)"/g)) collector.plant('verifier', verifier)
}

const textsOf = (root: unknown) => reachableTexts(root).join('\n')

interface Fiber {
  readonly memoizedProps: unknown
  readonly memoizedState: unknown
  readonly child: Fiber | null
  readonly sibling: Fiber | null
}

/** Props and state of every component that is drawn, contexts among them. */
function reactTree(): unknown[] {
  const found: unknown[] = []
  const roots = [...document.querySelectorAll('*')].flatMap((element) =>
    Object.keys(element)
      .filter((key) => key.startsWith('__reactContainer'))
      .map((key) => Reflect.get(element, key) as Fiber),
  )
  const waiting: (Fiber | null)[] = roots
  while (waiting.length > 0) {
    const fiber = waiting.pop()
    if (!fiber) continue
    found.push(fiber.memoizedProps, fiber.memoizedState)
    waiting.push(fiber.child, fiber.sibling)
  }
  return found
}

function placesOf(
  { client }: CloudScene,
  pages: readonly ScannedPage[],
  printed: unknown[],
): Record<string, string> {
  const mutations = client.getMutationCache().getAll()
  const queries = client.getQueryCache().getAll()
  const errors = [...queries, ...mutations].map(({ state }) => state.error).filter((error) => error !== null)
  const all = { shouldDehydrateQuery: () => true, shouldDehydrateMutation: () => true }
  const places: Record<string, string> = {
    page: document.documentElement.outerHTML,
    fields: [...document.querySelectorAll('input, textarea')]
      .map((field) => Reflect.get(field, 'value') as string)
      .join(' '),
    'props and state': textsOf(reactTree()),
    queries: textsOf(queries.map(({ state, queryKey, meta }) => [state, queryKey, meta])),
    mutations: textsOf(mutations.map(({ state, meta, options }) => [state, meta, options.mutationKey])),
    'printed caches': inspect(
      [queries.map(({ state, queryKey }) => [state, queryKey]), mutations.map(({ state }) => state)],
      { depth: 20, showHidden: true, getters: true },
    ),
    'what a persister writes': JSON.stringify(dehydrate(client, all)),
    errors: textsOf(
      errors.map((error) => [error, inspect(error, { depth: 20 }), JSON.stringify(error), error.stack]),
    ),
    console: `${textsOf(printed)} ${inspect(printed, { depth: 20 })}`,
  }
  const add = (place: string, ...texts: readonly string[]) => {
    places[place] = [places[place] ?? '', ...texts].join('\n')
  }
  for (const { host, auth, loadedWith } of pages) {
    add('address at the load', loadedWith)
    add('address', host.address, ...host.replacedAddresses)
    add('navigation', ...host.navigations)
    add('session storage', JSON.stringify(host.sessionStorage.entries()))
    add('local storage', JSON.stringify(host.localStorage.entries()))
    add('messages between tabs', textsOf(host.browser.posted))
    add('address of the frame', ...host.frames.map(({ url }) => url))
    add('address of the popup', ...host.popups.flatMap(({ urls }) => urls))
    add('warnings', textsOf(host.warnings), inspect(host.warnings, { depth: 20 }))
    add('auth object', textsOf([auth, auth.explain()]), inspect(auth))
    add('support bundle', createSupportBundle(auth))
    for (const { method, url, headers, body = '' } of host.requests) {
      const { pathname } = new URL(url)
      add('address of a request', url)
      add(`body of ${method} ${pathname}`, body)
      for (const [name, value] of headers)
        add(name === 'authorization' ? 'authorization header' : 'another header', value)
    }
  }
  return places
}

/** Where the secrets are, each place once. */
export function findSecrets(
  scene: CloudScene,
  from: { pages: readonly ScannedPage[]; printed: unknown[]; collector: SecretCollector },
): Hit[] {
  const found = Object.entries(placesOf(scene, from.pages, from.printed)).flatMap(([place, text]) =>
    [...from.collector.secrets]
      .filter(([secret]) => text.includes(secret))
      .map(([, kind]) => `${kind}|${place}`),
  )
  return [...new Set(found)].map((hit) => {
    const [kind, place] = hit.split('|') as [Kind, string]
    return { kind, place }
  })
}
