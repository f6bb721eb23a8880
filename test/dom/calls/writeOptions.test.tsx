// Every write takes TanStack's mutation options, and none of them takes away what latchkey reads again afterwards.
import {
  QueryClient,
  useMutation,
  type UseMutationOptions,
  type UseMutationResult,
} from '@tanstack/react-query'
import { act, cleanup, render } from '@testing-library/react'
import { type ReactNode, StrictMode } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import * as latchkey from '../../../src/index.ts'
import type { AuthError } from '../../../src/base/errors.ts'
import type { Auth } from '../../../src/session/auth.ts'
import { createAuthError } from '../../../src/testing/errors.ts'
import { createTestAuth, type TestAuth, type TestAuthOptions } from '../../../src/testing/testAuth.ts'
import { TestAuthProvider } from '../../../src/testing/TestAuthProvider.tsx'
import * as tanstackQuery from '../../../src/tanstack-query/index.ts'

type Options = UseMutationOptions<unknown, AuthError, never>
type Write = (options?: Options) => UseMutationResult<unknown, AuthError>
type Factory = (auth: Auth) => Options

interface Row {
  hook: Write
  factory: Factory
  variables?: unknown
  /** A query that is read before, and is stale or gone afterwards. */
  reads?: (auth: Auth) => { queryKey: readonly unknown[] }
}

const LINKS = [{ internalUser: 'alice', externalUser: { id: 'cloud-7' } }]

/** The 16 writes. */
const ROWS: Record<string, Row> = {
  useLogin: row(latchkey.useLogin, latchkey.loginMutation),
  useLogout: row(latchkey.useLogout, latchkey.logoutMutation),
  useRenew: row(latchkey.useRenew, latchkey.renewMutation, { force: true }),
  useStepUp: row(latchkey.useStepUp, latchkey.stepUpMutation, { error: createAuthError('step-up-required') }),
  useSwitchTo: row(tanstackQuery.useSwitchTo, tanstackQuery.switchToMutation, { firmId: 'f1' }),
  useExchangeAssertion: row(latchkey.useExchangeAssertion, latchkey.exchangeAssertionMutation, {
    assertion: 'jti-1',
  }),
  useUpdateFirm: row(
    latchkey.useUpdateFirm,
    latchkey.updateFirmMutation,
    { id: 'f1', cloudProviderId: 'cumulus' },
    (auth) => latchkey.userInfoQuery(auth),
  ),
  useSaveLinkMap: row(latchkey.useSaveLinkMap, latchkey.saveLinkMapMutation, LINKS, (auth) =>
    latchkey.linkMapQuery(auth, { allUsers: true }),
  ),
  useGrantAdminConsent: row(
    latchkey.useGrantAdminConsent,
    latchkey.grantAdminConsentMutation,
    { domain: 'firm.test' },
    latchkey.adminConsentQuery,
  ),
  useRevokeAdminConsent: row(
    latchkey.useRevokeAdminConsent,
    latchkey.revokeAdminConsentMutation,
    undefined,
    latchkey.adminConsentQuery,
  ),
  useAuthorizeSupport: row(latchkey.useAuthorizeSupport, latchkey.authorizeSupportMutation, {
    requestCode: '123456',
    duration: 60,
  }),
  useChangePassword: row(
    latchkey.useChangePassword,
    latchkey.changePasswordMutation,
    undefined,
    latchkey.userInfoQuery,
  ),
  usePassthrough: row(latchkey.usePassthrough, latchkey.passthroughMutation, { redirect: '/next' }),
  useLinkCloudAccount: row(
    latchkey.useLinkCloudAccount,
    latchkey.linkCloudAccountMutation,
    undefined,
    latchkey.cloudAccessTokenQuery,
  ),
  useUnlinkCloudAccount: row(
    latchkey.useUnlinkCloudAccount,
    latchkey.unlinkCloudAccountMutation,
    undefined,
    latchkey.cloudAccessTokenQuery,
  ),
  useReauthenticateCloudAccount: row(
    latchkey.useReauthenticateCloudAccount,
    latchkey.reauthenticateCloudAccountMutation,
    undefined,
    latchkey.cloudAccessTokenQuery,
  ),
}

function row(hook: unknown, factory: unknown, variables?: unknown, reads?: Row['reads']): Row {
  return { hook: hook as Write, factory: factory as Factory, variables, ...(reads && { reads }) }
}

afterEach(cleanup)

/** Waits until nothing moves any more. */
const rest = () =>
  act(async () => {
    for (let round = 0; round < 8; round += 1) await new Promise((resolve) => setTimeout(resolve, 0))
  })

async function open(use: Write, auth: TestAuth, options?: Options) {
  const client = new QueryClient({ defaultOptions: { queries: { gcTime: Infinity } } })
  let result: ReturnType<Write> | undefined
  function Probe(): ReactNode {
    result = use(options)
    return null
  }
  render(
    <StrictMode>
      <TestAuthProvider auth={auth} queryClient={client}>
        <Probe />
      </TestAuthProvider>
    </StrictMode>,
  )
  await rest()
  return { client, result: () => result! }
}

/** Puts what is read into the cache, and says afterwards whether it was read again or has to be. */
async function keep(client: QueryClient, auth: Auth, { reads }: Row) {
  if (!reads) return () => true
  const options = { ...(reads(auth) as object), gcTime: Infinity, retry: false } as never
  await act(async () => void (await client.query(options).catch(() => {})))
  const { queryKey } = reads(auth)
  const before = client.getQueryState(queryKey)
  expect(before?.status).not.toBe('pending')
  return () => {
    const now = client.getQueryState(queryKey)
    return now === undefined || now.isInvalidated || now.status === 'pending' || now !== before
  }
}

/** What the app's callbacks were given. */
function createApp() {
  const seen: string[] = []
  const options = {
    meta: { notify: true, own: 1, source: 'elsewhere' },
    scope: { id: 'own' },
    onMutate: () => {
      seen.push('onMutate')
      return 'from onMutate'
    },
    onSuccess: (_data: unknown, _variables: unknown, result: unknown) =>
      void seen.push(`onSuccess ${String(result)}`),
    onError: (error: AuthError) => void seen.push(`onError ${error.code}`),
    onSettled: () => void seen.push('onSettled'),
  }
  return { seen, options: options as unknown as Options }
}

const REFUSED: TestAuthOptions['respond'] = ({ method }) =>
  method === 'GET' ? undefined : Response.json({ error: 'no' }, { status: 403 })

describe.each(Object.entries(ROWS))('%s', (_name, row) => {
  /** Succeeds, calls the app's callbacks, and has read again what has changed. */
  async function expectWrite(
    hook: Write,
    auth: TestAuth,
    { seen }: ReturnType<typeof createApp>,
    options?: Options,
  ) {
    const { client, result } = await open(hook, auth, options)
    const isReadAgain = await keep(client, auth, row)
    await act(async () => result().mutate(row.variables))
    await rest()
    expect(result().error).toBeNull()
    expect(seen).toEqual(['onMutate', 'onSuccess from onMutate', 'onSettled'])
    expect(isReadAgain()).toBe(true)
    return client
  }

  it("calls the app's callbacks, keeps its options beside latchkey's own, and reads again what has changed", async () => {
    const auth = createTestAuth()
    const app = createApp()
    const client = await expectWrite(row.hook, auth, app, app.options)
    const { options } = client.getMutationCache().findAll()[0] ?? { options: undefined }
    // A sign-out has taken it away.
    if (!options) return
    expect(options.meta).toMatchObject({ source: 'latchkey', own: 1, notify: true })
    expect(options).toMatchObject({ scope: { id: 'own' }, networkMode: 'always' })
    expect(options.mutationKey).toEqual(row.factory(auth).mutationKey)
  })

  it('reads again with the options of the factory too, whatever callbacks stand beside them', async () => {
    const auth = createTestAuth()
    const app = createApp()
    const useBare: Write = () => useMutation({ ...row.factory(auth), ...app.options }) as never
    await expectWrite(useBare, auth, app)
  })
})

describe('a write that the server refuses', () => {
  const refused = ['useUpdateFirm', 'useSaveLinkMap', 'useRevokeAdminConsent'] as const

  it.each(refused)('%s reads again and calls onError, repeated as often as the app says', async (name) => {
    const row = ROWS[name]!
    const auth = createTestAuth({ respond: REFUSED })
    const app = createApp()
    const options = { ...app.options, retry: 2, retryDelay: 0 } as Options
    const { client, result } = await open(row.hook, auth, options)
    const isReadAgain = await keep(client, auth, row)
    await act(async () => result().mutate(row.variables))
    // Each attempt takes some turns of its own.
    while (!app.seen.includes('onSettled')) await rest()
    expect(app.seen).toEqual(['onMutate', 'onError forbidden', 'onSettled'])
    expect(auth.requests.filter(({ method }) => method !== 'GET')).toHaveLength(3)
    expect(isReadAgain()).toBe(true)
  })

  it('is not repeated without a word of the app', async () => {
    const auth = createTestAuth({ respond: REFUSED })
    const { result } = await open(ROWS['useUpdateFirm']!.hook, auth)
    await act(async () => result().mutate({ id: 'f1', cloudProviderId: 'cumulus' }))
    await rest()
    expect(auth.requests.filter(({ method }) => method === 'PUT')).toHaveLength(1)
  })
})

describe('two saves of one array', () => {
  it('both end, the second based on the first', async () => {
    const auth = createTestAuth()
    const { client, result } = await open(ROWS['useSaveLinkMap']!.hook, auth)
    await keep(client, auth, ROWS['useSaveLinkMap']!)
    let ended = 0
    await act(async () => {
      for (const _ of [1, 2])
        void result()
          .mutateAsync(LINKS)
          .then(() => (ended += 1))
    })
    await rest()
    expect(ended).toBe(2)
    expect(auth.requests.filter(({ method }) => method === 'PUT')).toHaveLength(2)
  })
})

describe('the table', () => {
  it('has every hook that writes', () => {
    const writes = Object.keys({ ...latchkey, ...tanstackQuery }).filter((name) =>
      /^(?!should)\w+Mutation$/.test(name),
    )
    expect(
      Object.values(ROWS)
        .map(({ factory }) => factory.name)
        .toSorted(),
    ).toEqual(writes.toSorted())
  })
})
