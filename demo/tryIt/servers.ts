// The servers of the demo inside a browser: the test kit's fake servers, with the demo's own people and pages.
import {
  createFakeAuthMemory,
  createFakeAuthServer,
  type FakeAuthMemory,
  type FakeUser,
} from '../../src/testing/authServer.ts'
import { respondTo } from '../../src/testing/browserRequests.ts'
import {
  createFakeCloudServer,
  type FakeCloudServer,
  type FakeCloudServerOptions,
} from '../../src/testing/cloudServer.ts'
import { createAccounts, decodeIdentity } from '../authServer/accounts.ts'
import { askPage } from '../authServer/cloudPages.ts'
import { type PageOptions, renderPage } from '../authServer/page.ts'
import { signInBody } from '../authServer/signIn.ts'
import type { PopupKind } from '../authServer/tickets.ts'
import { CLOUD_ACCOUNTS, CONSENTED_AT_START, LINKED_AT_START, seedLinkMap } from '../seed.ts'
import { ACCESS_TOKEN_SECONDS, CLIENT_ID } from './constants.ts'

/** What is kept of one firm. */
interface FirmMemory extends Pick<FakeCloudServerOptions, 'consent' | 'linkMap'> {
  cloudProviderId?: unknown
}

/** What outlives a worker, which the browser stops when it has nothing to do. */
export interface Memory {
  auth: FakeAuthMemory
  user: FakeUser | undefined
  /** By user. */
  accounts: Map<string, Readonly<Record<string, unknown>> | undefined>
  firms: Map<string, FirmMemory>
}

export type Servers = ReturnType<typeof createServers>

const PLACE = 'Invented people. This server runs in your browser, and what you do is kept in it alone'
const POPUP = /^\/cloudprovider\/(link|unlink|reauthenticate|adminconsent)$/

export function createServers(authHost: string, kept?: Memory) {
  const people = createAccounts('eu')
  const linked = kept?.accounts ?? new Map(Object.entries(LINKED_AT_START).map(([id, it]) => [id, dated(it)]))
  const auth = kept?.auth ?? createFakeAuthMemory()
  const server = createFakeAuthServer({
    authHost,
    user: kept?.user,
    memory: auth,
    expiresInSeconds: ACCESS_TOKEN_SECONDS,
    now: Date.now,
  })
  const clouds = new Map<string, FakeCloudServer>()
  const cloudOf = (firmId: string): FakeCloudServer => {
    const known = clouds.get(firmId)
    if (known) return known
    const firm = people.firm(firmId)
    const { cloudProviderId, ...options } = kept?.firms.get(firmId) ?? {
      linkMap: firm && seedLinkMap(firm),
      consent: CONSENTED_AT_START[firmId],
      cloudProviderId: firm?.cloudProviderId,
    }
    const cloud = createFakeCloudServer(server, options)
    cloud.cloudProviderId = cloudProviderId
    clouds.set(firmId, cloud)
    return cloud
  }
  for (const firmId of kept?.firms.keys() ?? []) cloudOf(firmId)

  /** The user of an account text, in a session of their own. */
  function createUser(accountId: string): FakeUser {
    const identity = decodeIdentity(accountId)
    const person = people.person(identity.userId)
    const { role, firmId = '' } = person ?? {}
    const claims = { ...identity, firmId, role, sessionId: crypto.randomUUID(), aud: CLIENT_ID }
    return { claims, userInfo: { ...claims, ...person, environment: 'eu', firm: firmOf(firmId) } }
  }
  const firmOf = (firmId: string) => ({
    ...people.firm(firmId),
    cloudProviderId: cloudOf(firmId).cloudProviderId,
  })

  /** Shows what the cloud provider asks, and does it once the user has agreed. */
  async function ask(request: Request, kind: PopupKind, cloud: FakeCloudServer) {
    const { searchParams } = new URL(request.url)
    const userId = String(server.user?.claims.userId)
    const person = people.person(userId)
    const domain = searchParams.get('domain') ?? people.firm(person?.firmId ?? '')?.domain ?? ''
    const asked = {
      kind,
      person: person?.name ?? '',
      domain,
      linkedAccountId: (cloud.linkedAccount?.['id'] ?? '') as string,
      action: request.url,
      ticket: '',
    }
    const form = await formOf(request)
    const decision = form.get('decision')
    if (decision === null) return show(askPage(asked))
    const url = decision === 'deny' ? `${authHost}/oauth/close` : request.url
    const before = cloud.linkedAccount
    const closed = await respondTo(new Request(url), { server, cloud, visitor: undefined })
    if (decision === 'approve' && kind === 'link')
      cloud.linkedAccount = dated(CLOUD_ACCOUNTS.find(({ id }) => id === form.get('account')))
    if (decision === 'approve' && kind === 'reauthenticate')
      cloud.linkedAccount = before && { ...before, confirmedAt: new Date().toISOString() }
    if (decision === 'approve' && kind === 'adminconsent')
      cloud.consent = dated({ domain, grantedBy: userId })
    return closed
  }

  async function answer(request: Request): Promise<Response> {
    const url = new URL(request.url)
    const path = url.pathname.slice(new URL(authHost).pathname.length)
    if (path === '/oauth/authorize' && url.searchParams.get('prompt') !== 'none') {
      const form = await formOf(request)
      const accountId = form.get('account') ?? ''
      if (form.has('cancel')) return redirect(server.callbackOf(request.url, 'access_denied'))
      if (people.isKnown(accountId)) server.user = createUser(accountId)
      else if (!server.user || url.searchParams.has('prompt'))
        return show({
          title: 'Sign in',
          // Every session here lasts until somebody signs out.
          body: signInBody(
            { accounts: people, environment: 'eu' },
            undefined,
            url.searchParams.get('login_hint'),
          ),
        })
    }
    const { userId = '', firmId = '', role } = server.user?.claims ?? {}
    const cloud = cloudOf(String(firmId))
    cloud.isAdministrator = role === 'administrator'
    cloud.linkedAccount = linked.get(String(userId))
    const kind = POPUP.exec(path)?.[1] as PopupKind | undefined
    const isAsked = kind && server.user && !request.headers.has('authorization')
    const response = isAsked
      ? await ask(request, kind, cloud)
      : await respondTo(request, { server, cloud, visitor: undefined })
    linked.set(String(userId), cloud.linkedAccount)
    if (server.user && path.startsWith('/api/firms/'))
      server.user.userInfo = { ...server.user.userInfo, firm: firmOf(String(firmId)) }
    return response
  }

  return {
    answer,
    memory: (): Memory => ({
      auth,
      user: server.user,
      accounts: linked,
      firms: new Map(
        [...clouds].map(([firmId, { consent, linkMap, cloudProviderId }]) => [
          firmId,
          { consent, linkMap, cloudProviderId },
        ]),
      ),
    }),
  }
}

const formOf = async (request: Request) =>
  new URLSearchParams(request.method === 'POST' ? await request.clone().text() : '')

/** With the moments that the demo's screens show. */
function dated(account: object | undefined): Readonly<Record<string, unknown>> | undefined {
  const now = new Date().toISOString()
  return account && { ...account, provider: 'cumulus', linkedAt: now, confirmedAt: now, grantedAt: now }
}

const redirect = (location: string) => new Response(null, { status: 302, headers: { location } })

/** In a frame of this site too, which is where the documentation shows it. */
function show(options: PageOptions): Response {
  const { status, headers, html } = renderPage({ place: PLACE, ...options, frameAncestors: ["'self'"] })
  return new Response(html, { status, headers })
}
