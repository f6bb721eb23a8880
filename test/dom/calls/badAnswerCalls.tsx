// The calls of the bad-answer table: what each asks, what its right answer is, and a screen that shows how it ended.
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { AuthError } from '../../../src/base/errors.ts'
import {
  useAdminConsent,
  useAuthorizeSupport,
  useCloudAccessToken,
  useCloudUserInfo,
  useExchangeAssertion,
  useLinkCloudAccount,
  useLinkMap,
  useReauthenticateCloudAccount,
  useRevokeAdminConsent,
  useSaveLinkMap,
  useUpdateFirm,
  useUserInfo,
} from '../../../src/hooks/serverCalls.ts'
import { createTokenResponse } from '../../../src/testing/tokens.ts'

/** What the answer of a call has to look like. */
export type Kind = 'record' | 'secret' | 'list' | 'write' | 'revoke' | 'grant' | 'nonce' | 'status'

export interface Call {
  name: string
  method: string
  path: string
  kind: Kind
  right: unknown
  Screen(): ReactNode
}

const describe = (error: unknown) => (error instanceof AuthError ? error.code : `not ours: ${String(error)}`)

function Read({ result }: { result: UseQueryResult }) {
  if (result.isPending) return <output>waiting</output>
  return <output>{result.isError ? describe(result.error) : 'shown'}</output>
}

function Write<Variables>({
  mutation,
  variables,
}: {
  mutation: UseMutationResult<unknown, AuthError, Variables>
  variables: Variables
}) {
  const shown = { idle: 'idle', pending: 'waiting', error: describe(mutation.error), success: 'done' }
  return (
    <>
      <button type="button" onClick={() => mutation.mutate(variables)}>
        go
      </button>
      <output>{shown[mutation.status]}</output>
    </>
  )
}

// Repeats come at once here; how long they wait is tested by itself.
const AT_ONCE = { retryDelay: 0 }
const LINKED = { internalUser: 'alice', externalUser: { id: 'cloud-alice' } }

function User() {
  return <Read result={useUserInfo(AT_ONCE)} />
}
function Token() {
  return <Read result={useCloudAccessToken(undefined, AT_ONCE)} />
}
function TokenOfAccount() {
  return <Read result={useCloudAccessToken('cloud-7', AT_ONCE)} />
}
function CloudUser() {
  return <Read result={useCloudUserInfo(AT_ONCE)} />
}
function Consent() {
  return <Read result={useAdminConsent(AT_ONCE)} />
}
function LinkedUsers() {
  return <Read result={useLinkMap(AT_ONCE)} />
}
function AllUsers() {
  return <Read result={useLinkMap({ allUsers: true, ...AT_ONCE })} />
}
function Firm() {
  return <Write mutation={useUpdateFirm()} variables={{ id: 'f1', cloudProviderId: 'cumulus' }} />
}
function Revoke() {
  return <Write mutation={useRevokeAdminConsent()} variables={undefined} />
}
function Save() {
  return <Write mutation={useSaveLinkMap()} variables={[LINKED]} />
}
function Support() {
  return <Write mutation={useAuthorizeSupport()} variables={{ requestCode: 'CODE-1234', duration: 60 }} />
}
function Exchange() {
  return <Write mutation={useExchangeAssertion()} variables={{ assertion: 'ASSERTION-1' }} />
}
function Nonce() {
  return <Write mutation={useReauthenticateCloudAccount()} variables={undefined} />
}
function Link() {
  return <Write mutation={useLinkCloudAccount()} variables={undefined} />
}

const RECORD = { name: 'Alice' }
const TOKEN = { access_token: 'cloud-token' }
const CLOUD = '/cloudprovider'

export const CALLS: Call[] = [
  { name: 'user info', method: 'GET', path: '/api/userinfo', kind: 'record', right: RECORD, Screen: User },
  {
    name: 'cloud token',
    method: 'GET',
    path: `${CLOUD}/accesstoken`,
    kind: 'secret',
    right: TOKEN,
    Screen: Token,
  },
  {
    name: 'cloud token of an account',
    method: 'GET',
    path: `${CLOUD}/accesstoken/cloud-7`,
    kind: 'secret',
    right: TOKEN,
    Screen: TokenOfAccount,
  },
  {
    name: 'cloud user info',
    method: 'GET',
    path: `${CLOUD}/userinfo`,
    kind: 'record',
    right: RECORD,
    Screen: CloudUser,
  },
  {
    name: 'consent status',
    method: 'GET',
    path: `${CLOUD}/adminconsent/status`,
    kind: 'record',
    right: RECORD,
    Screen: Consent,
  },
  {
    name: 'link map',
    method: 'GET',
    path: `${CLOUD}/linkmap`,
    kind: 'list',
    right: [LINKED],
    Screen: LinkedUsers,
  },
  {
    name: 'link map of all users',
    method: 'GET',
    path: `${CLOUD}/linkmap`,
    kind: 'list',
    right: [LINKED],
    Screen: AllUsers,
  },
  {
    name: 'firm update',
    method: 'PUT',
    path: '/api/firms/f1',
    kind: 'write',
    right: { id: 'f1' },
    Screen: Firm,
  },
  {
    name: 'consent revocation',
    method: 'DELETE',
    path: `${CLOUD}/adminconsent`,
    kind: 'revoke',
    right: undefined,
    Screen: Revoke,
  },
  { name: 'link map save', method: 'PUT', path: `${CLOUD}/linkmap`, kind: 'write', right: {}, Screen: Save },
  {
    name: 'support access',
    method: 'POST',
    path: '/support/authorization',
    kind: 'write',
    right: {},
    Screen: Support,
  },
  {
    name: 'assertion',
    method: 'POST',
    path: '/oauth/token',
    kind: 'grant',
    right: createTokenResponse(),
    Screen: Exchange,
  },
  {
    name: 'nonce of a re-authentication',
    method: 'GET',
    path: `${CLOUD}/reauthenticate/link`,
    kind: 'nonce',
    right: { nonce: 'NONCE-1' },
    Screen: Nonce,
  },
  {
    name: 'status after a popup',
    method: 'GET',
    path: `${CLOUD}/userinfo`,
    kind: 'status',
    right: { linked: true },
    Screen: Link,
  },
]
