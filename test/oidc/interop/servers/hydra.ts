// Ory Hydra as its vendor publishes it, built by Go. It has no pages of its own: those here do the least that it asks for.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { text } from 'node:stream/consumers'
import { findFreePort } from '../../../../scripts/browsers/freePort.ts'
import { startProgram } from '../../../../scripts/startProgram.ts'
import { fetched, lacks } from '../fetched.ts'
import {
  anotherUser,
  deadToken,
  ignoredResource,
  logoutInOrder,
  owedLogout,
  secondFirst,
  stepUp,
} from '../furtherCases.ts'
import type { InteropServer } from '../interopServer.ts'
import { actByForms, insist, restartable } from '../server.ts'

const VERSION = '2.3.0'
const HYDRA = 'github.com/ory/hydra/v2'
/** Without it the build ends with "p.conn.Store.SQLDB undefined". */
const POP = 'github.com/gobuffalo/pop/v6=github.com/ory/pop/v6@v6.2.1-0.20241121111754-e5dfc0f3344b'

const install = () =>
  fetched(`hydra-${VERSION}`, (run) => {
    run('go', 'mod', 'init', 'interop')
    run('go', 'get', '-tool', `${HYDRA}@v${VERSION}`)
    run('go', 'mod', 'edit', '-replace', POP)
    run('go', 'mod', 'tidy', '-e')
    run('go', 'build', '-tags', 'sqlite,sqlite_omit_load_extension,json1', '-o', 'hydra', HYDRA)
  })

export const hydra: InteropServer = {
  name: 'hydra',
  isByNameOnly: true,
  version: () => VERSION,
  missing: () => lacks(['go', 'gcc'], 'Go 1.24 or later and gcc'),
  async start(redirectUris) {
    const home = install()
    const folder = mkdtempSync(`${tmpdir()}/hydra-`)
    const [port, adminPort] = [await findFreePort(), await findFreePort()]
    const [issuer, admin] = [`http://localhost:${port}/`, `http://127.0.0.1:${adminPort}/admin`]
    const pages = createServer((request, response) => void showPage(admin, request, response))
    const pagePort = await findFreePort()
    pages.listen(pagePort, '127.0.0.1')
    const page = (name: string) => `http://localhost:${pagePort}/${name}`
    const settings = {
      dsn: 'memory',
      serve: {
        public: {
          host: '127.0.0.1',
          port,
          cors: { enabled: true, allowed_origins: [new URL(redirectUris[0]!).origin] },
        },
        admin: { host: '127.0.0.1', port: adminPort },
      },
      urls: {
        self: { issuer },
        login: page('login'),
        consent: page('consent'),
        logout: page('logout'),
        error: page('error'),
      },
      secrets: { system: ['not-a-secret-not-a-secret'] },
      ttl: { access_token: '60s', id_token: '60s' },
      oauth2: { pkce: { enforced_for_public_clients: true } },
    }
    writeFileSync(`${folder}/hydra.json`, JSON.stringify(settings))
    const begin = async () => {
      const words = ['serve', 'all', '--dev', '--sqa-opt-out', '--config', `${folder}/hydra.json`]
      const program = await startProgram(`${home}/hydra`, words)
      await makeClient(admin, redirectUris)
      await insist(async () => ask(`${issuer}.well-known/openid-configuration`))
      return program
    }
    const { pause, stop } = await restartable(begin, folder)
    return {
      options: { issuer },
      clientId: 'admin',
      scopes: ['openid', 'profile', 'offline_access'],
      tokenPath: '/oauth2/token',
      isForgetful: true,
      act: actByForms({ yes: 'allow', no: 'deny' }),
      async endSession() {
        for (const query of ['login?subject=ada', 'consent?subject=ada&all=true'])
          await ask(`${admin}/oauth2/auth/sessions/${query}`, 'DELETE')
      },
      pause,
      async stop() {
        await stop()
        pages.close()
      },
    }
  },
  further: [
    anotherUser,
    deadToken,
    ignoredResource(),
    ignoredResource('jwt'),
    logoutInOrder,
    owedLogout,
    secondFirst,
    stepUp,
  ],
  deviations: {},
}

async function makeClient(admin: string, redirectUris: readonly string[]): Promise<void> {
  const client = {
    client_id: 'admin',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    scope: 'openid profile offline_access',
    redirect_uris: redirectUris,
    post_logout_redirect_uris: redirectUris,
  }
  // Its two ports open one after the other.
  await insist(async () => ask(`${admin}/clients`))
  for (const more of [{}, { client_id: 'jwt', access_token_strategy: 'jwt' }])
    await ask(`${admin}/clients`, 'POST', { ...client, ...more })
}

async function ask<Found>(url: string, method = 'GET', body?: unknown): Promise<Found> {
  const response = await fetch(url, { method, ...(body !== undefined && { body: JSON.stringify(body) }) })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  // A session that was ended: nothing is left to tell.
  return (response.status === 204 ? undefined : response.json()) as Promise<Found>
}

interface Asked {
  readonly skip?: boolean
  readonly subject: string
  readonly requested_scope?: readonly string[]
  readonly requested_access_token_audience?: readonly string[]
}

/** Everything is remembered: what is not makes each silent check fail. */
async function showPage(admin: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const kind = pathname.slice(1)
  const query = `${kind}_challenge=${searchParams.get(`${kind}_challenge`)}`
  const requests = `${admin}/oauth2/auth/requests/${kind}`
  const form = new URLSearchParams(request.method === 'POST' ? await text(request) : '')
  const show = (status: number, page: string) =>
    void response.writeHead(status, { 'content-type': 'text/html' }).end(page)
  if (!['login', 'consent', 'logout'].includes(kind)) {
    show(400, `<p>${searchParams.get('error')}: ${searchParams.get('error_description')}</p>`)
    return
  }
  try {
    const asked = await ask<Asked>(`${requests}?${query}`)
    const isLeft = request.method === 'GET' && !asked.skip && kind !== 'logout'
    if (isLeft) {
      show(200, `<form method="post">${FIELDS[kind]}</form>`)
      return
    }
    const answers: Record<string, unknown> = {
      login: { subject: asked.subject || form.get('username'), remember: true, remember_for: 3600 },
      consent: {
        grant_scope: asked.requested_scope,
        grant_access_token_audience: asked.requested_access_token_audience,
        remember: true,
        remember_for: 3600,
        session: { id_token: { name: asked.subject } },
      },
    }
    const isNo = form.has('deny')
    const { redirect_to } = await ask<{ redirect_to: string }>(
      `${requests}/${isNo ? 'reject' : 'accept'}?${query}`,
      'PUT',
      isNo ? { error: 'access_denied', error_description: 'The user said no' } : answers[kind],
    )
    response.writeHead(303, { location: redirect_to }).end()
  } catch (error) {
    show(400, String(error))
  }
}

const FIELDS: Readonly<Record<string, string>> = {
  login: '<input name="username"><input name="password" type="password"><button>Sign in</button>',
  consent: '<button name="allow">Allow</button><button name="deny">Deny</button>',
}
