// Watches a whole browser for a test: every secret as it really goes over the wire, and all that its pages send, store and tell.
import type { BrowserContext, Page, Request } from 'playwright'
import { readReach } from './secretReach.ts'
import { recordInPage } from './secretRecorder.ts'

export interface SecretWatch {
  /** Each secret with its kind; of a token its signature, so that a piece of it counts too. */
  readonly secrets: ReadonlyMap<string, string>
  plant(kind: string, secret: string | undefined): void
  /** Something that only this test can see. */
  keep(place: string, text: string): void
  /** 'kind | place', each once: what has gone by so far, and what each page has within reach now. */
  find(...pages: readonly Page[]): Promise<string[]>
}

/** Names of a token in an address. */
const TOKEN_PARAMETERS = ['access_token', 'auth', 'authToken', 'token', 'jwt']

/** Begins before the first page; `origins` says whose server an origin is. */
export async function watchSecrets(
  context: BrowserContext,
  origins: Readonly<Record<string, string>>,
): Promise<SecretWatch> {
  const secrets = new Map<string, string>()
  const seen: { place: string; text: string }[] = []
  const working = new Set<Promise<unknown>>()
  const work = (job: Promise<unknown>) => {
    const settled = job.catch(() => undefined).finally(() => working.delete(settled))
    working.add(settled)
  }
  const keep = (place: string, text: string) => void seen.push({ place, text })
  const plant: SecretWatch['plant'] = (kind, secret) => {
    // The first name counts: an assertion that is the jti of a token is planted as that.
    if (secret !== undefined && secret.length >= 6 && !secrets.has(secret)) secrets.set(secret, kind)
  }
  const whose = (url: string) => origins[new URL(url).origin] ?? 'a stranger'
  const keepSent = (request: Request, headers: Readonly<Record<string, string>>) => {
    const who = whose(request.url())
    const what = `${request.method()} ${who}${pathOf(request, who)}`
    keep(`address of ${what}`, decoded(request.url()))
    keep(`body of ${what}`, request.postData() ?? '')
    for (const [name, value] of Object.entries(headers))
      if (!name.startsWith(':')) keep(`header ${name} to ${who}`, value)
  }

  await context.exposeBinding('__keepForScan', (_page, place: string, text: string) => keep(place, text))
  const apps = Object.keys(origins).filter((origin) => origins[origin] === 'the app')
  await context.addInitScript(recordInPage, apps)
  context.on('console', (message) => keep('console', message.text()))
  context.on('request', (request) => {
    readSent(request, plant)
    keepSent(request, request.headers())
  })
  // What the browser adds is known at the end, of a poll much later.
  context.on('requestfinished', (request) =>
    work(request.allHeaders().then((headers) => keepSent(request, headers))),
  )
  context.on('response', (response) => {
    // A poll has no end before there is news. The app's own files have no secret to tell, and are megabytes.
    const isFile = ['script', 'stylesheet', 'font', 'image'].includes(response.request().resourceType())
    const isRead =
      !isFile && whose(response.url()) !== 'real time' && response.request().method() !== 'OPTIONS'
    if (isRead) work(response.text().then((text) => readAnswer(response.url(), text, plant)))
  })

  return {
    secrets,
    plant,
    keep,
    async find(...pages) {
      while (working.size > 0) await Promise.all(working)
      const hits = new Set<string>()
      for (const page of pages)
        for (const [place, secret] of await page.evaluate(readReach, [...secrets.keys()]))
          hits.add(`${secrets.get(secret)} | ${place}`)
      for (const { place, text } of seen)
        for (const [secret, kind] of secrets) if (text.includes(secret)) hits.add(`${kind} | ${place}`)
      return [...hits].toSorted()
    },
  }
}

function pathOf(request: Request, who: string): string {
  if (who === 'the app') return request.isNavigationRequest() ? ', a page' : ', a file'
  return who === 'real time' ? '' : new URL(request.url()).pathname
}

/** What a request tells of the secrets. */
function readSent(request: Request, plant: SecretWatch['plant']): void {
  const { pathname, searchParams } = new URL(request.url())
  for (const name of ['code', 'jti', 'nonce']) plant(name, searchParams.get(name) ?? undefined)
  for (const name of TOKEN_PARAMETERS) {
    const value = searchParams.get(name)
    if (value?.startsWith('eyJ')) plantToken('token of a link', value, plant)
  }
  const body = request.postData() ?? ''
  const member = (name: string) => new RegExp(`"${name}":"([^"]+)"`).exec(body)?.[1]
  if (pathname === '/support/authorization') plant('request code', member('requestCode'))
  if (pathname !== '/oauth/token' || request.method() !== 'POST') return
  plant('code', member('code'))
  plant('verifier', member('code_verifier'))
  plant('refresh token', member('refresh_token'))
  plant('assertion', member('assertion'))
}

/** What an answer tells of them. */
function readAnswer(url: string, text: string, plant: SecretWatch['plant']): void {
  const { pathname } = new URL(url)
  const member = (name: string) => new RegExp(`"${name}":"([^"]+)"`).exec(text)?.[1]
  if (pathname === '/oauth/token') {
    plantToken('access token', member('access_token') ?? '', plant)
    plant('refresh token', member('refresh_token'))
    plantToken('id token', member('id_token') ?? '', plant)
  }
  if (pathname.startsWith('/cloudprovider/accesstoken')) plant('cloud token', member('access_token'))
  if (pathname.endsWith('/reauthenticate/link')) plant('nonce', member('nonce'))
  if (pathname === '/api/redirections') plant('jti', member('jti'))
  if (pathname === '/token') plant('real-time token', member('token'))
}

function plantToken(kind: string, token: string, plant: SecretWatch['plant']): void {
  const [, payload = '', signature] = token.split('.')
  plant(kind, signature)
  plant('jti', /"jti":"([^"]+)"/.exec(Buffer.from(payload, 'base64url').toString())?.[1])
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}
