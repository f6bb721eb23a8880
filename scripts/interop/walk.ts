// One walk through a sign-in over HTTP, driven by nothing but the profile: metadata, code, tokens, refresh, silent check, logout.
import { webcrypto } from 'node:crypto'
import { AuthError } from '../../src/errors.ts'
import { oidcProfile } from '../../src/protocol/servers/openIdConnect.ts'
import type { GrantedTokens } from '../../src/protocol/servers/oidcProfile.ts'
import { oidcTokens } from '../../src/protocol/servers/oidcTokens.ts'
import type { ServerPorts, WireRequest } from '../../src/protocol/servers/profile.ts'
import type { CryptoPort } from '../../src/protocol/pkce.ts'
import type { Attempt } from '../../src/protocol/signIn.ts'
import { createFakeHost } from '../../src/testing/fakeHost.ts'
import { createBrowser } from './browser.ts'
import { type RunningServer, workThrough } from './server.ts'

export interface Step {
  readonly title: string
  readonly isRight: boolean
  readonly found: string
}

const CRYPTO: CryptoPort = {
  randomBytes: (length) => webcrypto.getRandomValues(new Uint8Array(length)),
  sha256: (data) => webcrypto.subtle.digest('SHA-256', data),
  isSecureContext: true,
}

/** `tell` hears of every step. Stops at the first one that nothing can follow. */
export async function walk(running: RunningServer, app: string, tell: (step: Step) => void): Promise<void> {
  const { clientId, scopes } = running
  const origin = new URL(app).origin
  const browser = createBrowser(app)
  const persons = { server: running, browser, app }
  const profile = oidcProfile(running.options)
  const client = { clientId, scopes, rememberMe: false }
  profile.checkClient(client)

  const send = async (request: WireRequest, bearer?: string) => {
    const response = await fetch(request.url, {
      method: request.method,
      headers: {
        ...request.headers,
        origin,
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      },
      ...(request.body !== undefined && { body: request.body }),
      redirect: 'error',
    })
    const text = await response.text()
    const allowed = response.headers.get('access-control-allow-origin')
    return { status: response.status, body: jsonOr(text), isReadable: allowed === '*' || allowed === origin }
  }
  const sendForTokens = async (request: WireRequest, isRefresh: boolean) => {
    const { status, body } = await send(request)
    if (status !== 200) throw tokens.tokenError({ status, body, isRefresh })
    return body
  }
  let lastStatus = 0
  const ports: ServerPorts = {
    ...createFakeHost(app).platform,
    async send(request) {
      const bearer = request.headers['authorization']?.slice('Bearer '.length)
      const { status, body } = await send(request, bearer)
      lastStatus = status
      if (status !== (request.expectedStatus ?? 200))
        throw request.refused?.({ status, body }) ?? new Error(`${request.what} answered ${status}`)
      return body
    },
    call: async () => ({}),
    record: () => {},
    held: () => undefined,
  }
  const time = () => ({ nowMs: Date.now(), source: 'device' as const })
  const newAttempt = async () => {
    const key = await profile.createKey(CRYPTO)
    const attempt: Attempt = {
      ...key,
      authHost: profile.id,
      clientId,
      redirectUri: app,
      returnTo: '/',
      createdAtMs: Date.now(),
    }
    return { key, attempt }
  }
  const step = async <Result>(
    title: string,
    work: () => Promise<readonly [Result, string]>,
  ): Promise<Result> => {
    try {
      const [result, found] = await work()
      tell({ title, isRight: true, found })
      return result
    } catch (error) {
      const found = error instanceof AuthError ? `${error.code}: ${error.message}` : String(error)
      tell({ title, isRight: false, found })
      throw error
    }
  }
  /** What must be refused, and by which code. */
  const refused = (title: string, work: () => Promise<unknown>, isRight: (error: AuthError) => boolean) =>
    step(title, async () => {
      const error = await work().then(
        () => new Error('was accepted'),
        (reason: unknown) => (reason instanceof Error ? reason : new Error(String(reason))),
      )
      if (!(error instanceof AuthError) || !isRight(error)) throw error
      return [undefined, `${error.code}: ${error.message}`] as const
    })
  const askSilently = async () => {
    const { key, attempt } = await newAttempt()
    const page = await browser.open({ url: server.authorizeUrl({ key, redirectUri: app, isSilent: true }) })
    const answer = server.readSilentAnswer(page.url, key.state)
    const error = answer ? server.answerError(answer, { isSilent: true }) : undefined
    return { page, answer, error, attempt }
  }

  const metadata = await step('discovery', async () => {
    const { body, isReadable } = await send(profile.discovery!)
    const read = profile.readMetadata(body)
    return [read, isReadable ? 'readable by a page' : 'NOT readable by a page (no CORS)']
  })
  const server = await profile.open(client, ports).get()
  const tokens = oidcTokens(metadata, profile.settings, client)

  const signIn = async () => {
    const { key, attempt } = await newAttempt()
    const page = await workThrough(persons, server.authorizeUrl({ key, redirectUri: app }))
    const answer = profile.readAnswer(page.url)
    if (!answer || answer.state !== key.state) throw new Error(`no response at ${page.url.split('?')[0]}`)
    const error = server.answerError(answer, { isSilent: false })
    if (error) throw error
    return { code: answer.code!, attempt, iss: answer.iss }
  }

  const { code, attempt } = await step('sign-in', async () => {
    const found = await signIn()
    return [found, found.iss === undefined ? 'a code, without iss' : 'a code, with iss']
  })
  await step<GrantedTokens>('tokens', async () => {
    const body = await sendForTokens(tokens.codeRequest(code, attempt), false)
    const granted = await tokens.readTokens(body, {
      attempt,
      isSilent: false,
      time: time(),
      sha256: CRYPTO.sha256,
    })
    const notes = granted.notes.map((note) => note.code).join(', ') || 'no notes'
    return [granted, `user ${granted.claims.userId}, ${granted.expiresInSeconds} s, ${notes}`]
  })
  await step('CORS at the token endpoint', async () => {
    const { isReadable } = await send(tokens.codeRequest('made-up', attempt))
    return [undefined, isReadable ? 'the page may read it' : 'the page may NOT read it']
  })
  await refused(
    'a code once more',
    () => sendForTokens(tokens.codeRequest(code, attempt), false),
    () => true,
  )
  // A code sent twice may have ended what it brought.
  const { code: fresh, attempt: next } = await signIn()
  const held = await tokens.readTokens(await sendForTokens(tokens.codeRequest(fresh, next), false), {
    attempt: next,
    isSilent: false,
    time: time(),
    sha256: CRYPTO.sha256,
  })
  await refused(
    'wrong verifier',
    async () => {
      const other = await signIn()
      await sendForTokens(
        tokens.codeRequest(other.code, { ...other.attempt, verifier: 'x'.repeat(64) }),
        false,
      )
    },
    () => true,
  )
  await step('user info', async () => {
    const userInfo = await server.readUserInfo(held, held.accessToken, undefined)
    return [userInfo, `${lastStatus}, the same user`]
  })
  const renewed = await step('refresh', async () => {
    const request = tokens.refreshRequest(held)
    if (!request) throw new Error('no refresh token')
    const body = await sendForTokens(request, true)
    const granted = await tokens.readTokens(body, { held, time: time(), sha256: CRYPTO.sha256 })
    const isRotated = granted.refreshToken !== held.refreshToken
    const isNew = granted.memory['idToken'] !== held.memory['idToken']
    const isSame = granted.claims === held.claims
    return [
      granted,
      `${isRotated ? 'rotated' : 'not rotated'}, ${isNew ? 'a new ID token' : 'no new ID token'}, ${isSame ? 'the same user object' : 'ANOTHER user object'}`,
    ]
  })
  await step('another tab takes it over', async () => {
    const { accessToken, refreshToken, memory } = renewed
    const restored = tokens.restore(JSON.parse(JSON.stringify({ accessToken, refreshToken, memory })))
    if (JSON.stringify(restored.claims) !== JSON.stringify(renewed.claims)) throw new Error('another user')
    return [restored, `user ${restored.claims.userId}`]
  })
  await step('silent check', async () => {
    const { error, answer, attempt: silent } = await askSilently()
    if (error) return [undefined, `${error.code}: ${error.message}`]
    if (!answer) return [undefined, 'no response: a page for the user']
    const body = await sendForTokens(tokens.codeRequest(answer.code!, silent), false)
    const granted = await tokens.readTokens(body, {
      attempt: silent,
      isSilent: true,
      time: time(),
      sha256: CRYPTO.sha256,
    })
    return [
      granted,
      `user ${granted.claims.userId}, ${granted.refreshToken === undefined ? 'no' : 'a'} refresh token`,
    ]
  })
  await refused(
    'old refresh token once more',
    () => sendForTokens(tokens.refreshRequest(held)!, true),
    (error) => error instanceof AuthError && error.code === 'invalid-grant',
  )
  await step('revocation', async () => {
    if (metadata.revocation_endpoint === undefined) return [undefined, 'no endpoint']
    await server.revoke?.(renewed).catch(() => {})
    return [undefined, `answered ${lastStatus}`]
  })
  await step('logout', async () => {
    const state = 'logout-1'
    const page = server.logout({ isForced: true, returnUri: app, state, held: renewed })
    if (page instanceof AuthError) return [undefined, 'no endpoint']
    const back = await workThrough(persons, page.url, 'yes', page.form)
    const isBack = new URL(back.url).searchParams.get('state') === state
    if (!running.options.endSession && !isBack)
      throw new Error(`did not come back with the state: ${back.url}`)
    return [undefined, 'back with the state']
  })
  await refused(
    'silent check after the logout',
    async () => {
      const { error, answer } = await askSilently()
      if (answer && !error) throw new Error('still signed in')
      if (error) throw error
    },
    ({ code: found }) => found === 'login-required' || found === 'authorization-refused',
  )
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
