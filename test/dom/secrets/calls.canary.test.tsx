// Looks for every secret of the calls wherever somebody could find it: cache, devtools, storage, console, errors, address.
import { dehydrate } from '@tanstack/react-query'
import { ReactQueryDevtoolsPanel } from '@tanstack/react-query-devtools'
import { screen } from '@testing-library/react'
import { inspect } from 'node:util'
import { expect, it, vi } from 'vitest'
import {
  useAuthorizeSupport,
  useCloudAccessToken,
  useExchangeAssertion,
  useReauthenticateCloudAccount,
} from '../../../src/hooks/serverCalls.ts'
import { createAccessToken } from '../../../src/testing/tokens.ts'
import { openCloudScene } from '../calls/cloudScene.tsx'

const CANARY = 'CANARY-9f3a'
const EXCHANGED = createAccessToken({ note: 'exchanged' })

/** The server repeats every secret that it was sent, in the place where a careless one does. */
const careless = (isFailing: boolean) => async (request: Request) => {
  const path = new URL(request.url).pathname
  const echo = {
    error_description: `no ${await request.clone().text()}`,
    authorization: request.headers.get('authorization'),
  }
  const status = isFailing ? 400 : 200
  if (path.startsWith('/cloudprovider/accesstoken'))
    return Response.json({ access_token: `${CANARY}-token`, ...echo }, { status })
  if (path.endsWith('/reauthenticate/link'))
    return Response.json({ nonce: `${CANARY}-nonce`, ...echo }, { status })
  if (path === '/support/authorization')
    return Response.json({ requestCode: `${CANARY}-code`, ...echo }, { status })
  if (path === '/oauth/token' && (await request.clone().text()).includes('"jti"')) {
    return Response.json({ access_token: EXCHANGED, ...echo }, { status })
  }
  return undefined
}

function Screen() {
  const token = useCloudAccessToken()
  const support = useAuthorizeSupport()
  const exchange = useExchangeAssertion()
  const confirm = useReauthenticateCloudAccount()
  const start = () => {
    support.mutate({ requestCode: `${CANARY}-code`, duration: 5 })
    exchange.mutate({ assertion: `${CANARY}-assertion` })
    confirm.mutate()
  }
  return (
    <>
      <button type="button" onClick={start}>
        start
      </button>
      <pre>
        {JSON.stringify(
          [token, support, exchange, confirm].map(({ status, data, error }) => [status, data, error]),
        )}
      </pre>
    </>
  )
}

it.each([
  ['succeed', false],
  ['fail', true],
])('finds none when all calls %s', async (_name, isFailing) => {
  const printed: unknown[] = []
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    vi.spyOn(console, method).mockImplementation((...words: unknown[]) => void printed.push(...words))
  }
  const answer = careless(isFailing)
  const scene = await openCloudScene({ cloud: { linkedAccount: { id: 'a' } } })
  const { host, client, auth } = scene
  const usual = host.fetch
  host.fetch = async (input, init) => (await answer(new Request(input, init))) ?? usual(input, init)
  const bearer = await auth.getAccessToken()
  await scene.show(
    <>
      <Screen />
      <ReactQueryDevtoolsPanel client={client} />
    </>,
  )
  await scene.does(() => screen.getByText('start').click())
  await scene.does(() => host.popups[0]?.urls[1] && host.popups[0].post('closeMe'))
  const queries = client.getQueryCache().getAll()
  const mutations = client.getMutationCache().getAll()
  expect(queries.length + mutations.length).toBeGreaterThanOrEqual(4)
  expect(mutations.every(({ state }) => state.status === (isFailing ? 'error' : 'success'))).toBe(true)

  const errors = [...queries, ...mutations].map(({ state }) => state.error).filter((error) => error !== null)
  const places: Record<string, unknown> = {
    page: document.documentElement.outerHTML,
    queries: inspect(
      queries.map(({ queryKey, state, meta }) => ({ queryKey, state, meta })),
      { depth: 20 },
    ),
    mutations: inspect(
      mutations.map(({ state, meta, options }) => ({ state, meta, key: options.mutationKey })),
      { depth: 20 },
    ),
    dehydrated: JSON.stringify(
      dehydrate(client, { shouldDehydrateMutation: () => true, shouldDehydrateQuery: () => true }),
    ),
    cloned: inspect(structuredClone(JSON.parse(JSON.stringify(mutations.map(({ state }) => state))))),
    errors: errors.map((error) => [
      inspect(error, { depth: 20 }),
      JSON.stringify(error),
      String(error),
      error.stack,
    ]),
    storage: [host.sessionStorage.entries(), host.localStorage.entries()],
    messages: host.browser.posted,
    address: [host.address, ...host.replacedAddresses, ...host.navigations],
    diagnosis: inspect([auth.explain(), auth.getState(), host.warnings], { depth: 20 }),
    console: inspect(printed, { depth: 20 }),
  }
  const found = Object.entries(places).flatMap(([place, content]) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    return [CANARY, bearer, EXCHANGED]
      .filter((secret) => text.includes(secret))
      .map((secret) => [place, secret])
  })
  expect(found).toEqual([])
})
