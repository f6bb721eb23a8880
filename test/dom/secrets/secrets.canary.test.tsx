// Looks for every secret in every place, after each flow under each fault, and lets only the list of docs/security.md pass.

// @module-tag thorough

import { ReactQueryDevtoolsPanel } from '@tanstack/react-query-devtools'
import { act } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { LatchkeyDevtoolsPanel } from '../../../src/devtools/index.ts'
import { AuthToaster } from '../../../src/toaster/AuthToaster.tsx'
import { preparationOf } from '../../../src/queries/defaults.ts'
import { exchangeAssertionMutation, authorizeSupportMutation } from '../../../src/queries/secretCalls.ts'
import {
  cloudAccessTokenQuery,
  reauthenticateCloudAccountMutation,
} from '../../../src/queries/cloudProvider.ts'
import { passthroughMutation } from '../../../src/queries/passthrough.ts'
import { logoutMutation, renewMutation } from '../../../src/queries/session.ts'
import { userInfoQuery } from '../../../src/queries/userInfo.ts'
import type { Auth } from '../../../src/session/auth.ts'
import { createAuth } from '../../../src/session/createAuth.ts'
import { createFakeHost } from '../../../src/testing/fakeHost.ts'
import { createAccessToken } from '../../../src/testing/tokens.ts'
import { readSecurityRows } from '../../securityRows.ts'
import { APP, CONFIG, createScene, nextPage, type Scene } from '../../node/session/sessionScene.ts'
import { type CloudScene, openCloudScene } from '../calls/cloudScene.tsx'
import {
  ALLOWED,
  createSecretCollector,
  findSecrets,
  type Hit,
  plantSent,
  type ScannedPage,
} from './secretPlaces.tsx'

type Fault = (request: Request, real: () => Promise<Response>) => Promise<Response>

/** A careless server repeats everything that it was sent, and more. */
async function repeated(request: Request): Promise<object> {
  return {
    error: 'broken',
    error_description: `cannot use ${await request.clone().text()}`,
    authorization: request.headers.get('authorization'),
    access_token: createAccessToken({ note: 'made in anger' }),
  }
}

const FAULTS: Record<string, Fault> = {
  'the right answer': async (_request, real) => real(),
  'a refusal that repeats what was sent': async (request) =>
    Response.json(await repeated(request), { status: 400 }),
  'a 401 with the token in clear text': async (request) =>
    new Response(`bad token ${request.headers.get('authorization')}`, { status: 401 }),
  'a page with everything in it': async (request) =>
    new Response(`<h1>Hello</h1><pre>${JSON.stringify(await repeated(request))}</pre>`, {
      headers: { 'content-type': 'text/html' },
    }),
  'an answer that is cut off': async (_request, real) => {
    const response = await real()
    return new Response((await response.text()).slice(0, -3), { status: response.status })
  },
  'a connection that breaks': () => Promise.reject(new TypeError('Failed to fetch')),
}

interface Stage extends CloudScene {
  /** Runs a mutation of ours to its end, whatever that is. */
  runs(options: object, variables?: unknown): Promise<void>
  reads(options: object): Promise<void>
  /** Another page of the flow, which is scanned too. */
  opens(page: Scene, loadedWith: string): Promise<void>
}

const FLOWS: Record<string, (stage: Stage) => Promise<void>> = {
  'a reload beside a session of the server': (stage) => stage.opens(nextPage(stage, APP), APP),
  'leaving to sign in': (stage) => stage.opens(createScene({ server: { user: undefined } }), APP),
  'a sign-in by redirect': async (stage) => {
    const left = createScene({ server: { user: undefined } })
    await stage.opens(left, APP)
    const callback = left.server.callbackOf(left.host.navigations[0] ?? '')
    await stage.opens(nextPage(left, callback), callback)
  },
  'a renewal': (stage) => stage.runs(renewMutation(stage.auth), { force: true }),
  'a renewal that the server revoked': async (stage) => {
    stage.server.revokeAll()
    await stage.runs(renewMutation(stage.auth), { force: true })
  },
  'the user info': (stage) => stage.reads(userInfoQuery(stage.auth)),
  "the cloud provider's token": (stage) => stage.reads(cloudAccessTokenQuery(stage.auth)),
  'confirming the cloud account': async (stage) => {
    await stage.runs(reauthenticateCloudAccountMutation(stage.auth))
  },
  'support access': (stage) =>
    stage.runs(
      ...asHook(stage, authorizeSupportMutation, { requestCode: 'CANARY-request-code', duration: 5 }),
    ),
  'an assertion exchanged': (stage) =>
    stage.runs(...asHook(stage, exchangeAssertionMutation, { assertion: 'CANARY-assertion' })),
  "the app's own call": (stage) =>
    stage.does(() => stage.auth.fetch('https://auth.test/api/userinfo').catch(() => {})),
  'handing the session on': (stage) => stage.runs(passthroughMutation(stage.auth), { redirect: '/there' }),
  'a token in the address': async (stage) => {
    const token = createAccessToken({ jti: 'CANARY-jti' })
    await stage.opens(createScene({ address: `${APP}?token=${token}`, server: { user: undefined } }), APP)
  },
  'signing out': (stage) => stage.runs(logoutMutation(stage.auth)),
  'a second tab that is given the session': async (stage) => {
    const { auth } = await opensBeside(stage)
    expect(auth.getState().status).toBe('authenticated')
  },
  'a renewal that another tab takes over': async (stage) => {
    const { auth } = await opensBeside(stage)
    await stage.does(() => void auth.renew({ force: true }).catch(() => {}))
    await stage.passes(3_000)
  },
}

/** A mutation with its variables as the hook passes them on. */
function asHook(
  { auth, client }: Stage,
  factory: (auth: Auth) => object,
  variables: object,
): [options: object, variables: unknown] {
  const mutation = factory(auth)
  return [mutation, preparationOf(mutation)(variables, client)]
}

/** Another tab of the same browser, which asks the first one for the session. */
async function opensBeside(stage: Stage): Promise<Scene> {
  const { server } = stage
  const host = createFakeHost(APP, {
    browser: stage.host.browser,
    server,
  })
  const page = { host, server, auth: createAuth(CONFIG, { platform: host.platform }) }
  await stage.opens(page, APP)
  await stage.passes(1_000)
  return page
}

const cells = Object.keys(FLOWS).flatMap((flow) => Object.keys(FAULTS).map((fault) => [flow, fault] as const))
const met: Hit[] = []
const rowOf = (hit: Hit) =>
  Object.entries(ALLOWED).find(([, hits]) =>
    hits.some(({ kind, place }) => kind === hit.kind && place === hit.place),
  )

const printed: unknown[] = []
beforeEach(() => {
  printed.length = 0
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const)
    vi.spyOn(console, method).mockImplementation((...words: unknown[]) => void printed.push(...words))
})

describe('no secret outside the list', () => {
  it.each(cells)('%s meets %s', async (flow, fault) => {
    const collector = createSecretCollector()
    for (const [kind, secret] of [
      ['request code', 'CANARY-request-code'],
      ['assertion', 'CANARY-assertion'],
      ['jti', 'CANARY-jti'],
    ] as const)
      collector.plant(kind, secret)
    let isFaulty = false
    const watch = (host: Scene['host']) => {
      const usual = host.fetch
      host.fetch = async (input, init) => {
        const request = new Request(input, init)
        const real = async () => {
          const response = await usual(input, init)
          await collector.readAnswer(request, response)
          return response
        }
        const answer = FAULTS[fault]
        return isFaulty && answer ? answer(request, real) : real()
      }
    }
    const scene = await openCloudScene({ cloud: { linkedAccount: { id: 'a' } } })
    const pages: ScannedPage[] = [{ ...scene, loadedWith: APP }]
    const token = await scene.auth.getAccessToken()
    collector.plant('access token', token)
    watch(scene.host)
    await scene.show(
      <>
        <AuthToaster />
        <ReactQueryDevtoolsPanel client={scene.client} />
        <LatchkeyDevtoolsPanel auth={scene.auth} />
      </>,
    )
    isFaulty = true
    const stage: Stage = {
      ...scene,
      runs: (options, variables) =>
        scene.does(() => {
          const mutation = scene.client.getMutationCache().build(scene.client, { ...options, retry: false })
          void mutation.execute(variables as never).catch(() => {})
        }),
      reads: (options) =>
        scene.does(() =>
          scene.client.query({ ...(options as { queryKey: [] }), retry: false }).catch(() => {}),
        ),
      async opens(page, loadedWith) {
        watch(page.host)
        pages.push({ ...page, loadedWith })
        await scene.does(async () => {
          void page.auth.start()
          await page.host.settle()
        })
      },
    }
    await FLOWS[flow]?.(stage)
    for (const page of pages) {
      plantSent(collector, page)
      await act(() => page.host.clock.advance(1000))
    }
    expect(collector.secrets.size).toBeGreaterThanOrEqual(4)
    expect([...collector.secrets.keys()].every((secret) => secret.length > 3)).toBe(true)

    const hits = findSecrets(scene, { pages, printed, collector })
    met.push(...hits)
    expect(hits.filter((hit) => !rowOf(hit))).toEqual([])
    for (const { auth } of pages) auth.dispose()
  })
})

describe('the list', () => {
  it('is that of the documentation, row by row', () => {
    expect(readSecurityRows()).toEqual(Object.keys(ALLOWED))
  })

  it('has no entry that no flow needs', () => {
    const unmet = Object.values(ALLOWED)
      .flat()
      .filter(({ kind, place }) => !met.some((hit) => hit.kind === kind && hit.place === place))
    expect(unmet).toEqual([])
  })
})
