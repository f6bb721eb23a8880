// Pushes an authorization request to the provider before the browser goes there (PAR, RFC 9126). Loads where a provider or the app requires it.
import { type AuthError, unexpectedAnswer, unexpectedStatus } from '../../base/errors.ts'
import { readRecord } from '../answers.ts'
import type { Metadata } from './metadata.ts'
import type { ServerPorts, WireRequest } from './profile.ts'

interface PushOptions {
  authorizeUrl: string
  /** To the endpoint, without a body. */
  request: WireRequest
  metadata: Pick<Metadata, 'authorization_endpoint'>
  clientId: string
  ports: Pick<ServerPorts, 'send' | 'record'>
  clientRefused(status: number, body: unknown): AuthError | undefined
}

/** Returns the URL to go to. @throws AuthError `client-refused`, `unexpected-answer`, and those of a request */
export async function pushRequest(options: PushOptions): Promise<string> {
  const { authorizeUrl, request, metadata, clientId, ports, clientRefused } = options
  const { what } = request
  const answer = await ports.send({
    ...request,
    body: new URL(authorizeUrl).search.slice(1),
    expectedStatus: 201,
    refused: (refusal) => clientRefused(refusal.status, refusal.body) ?? unexpectedStatus(what, refusal),
  })
  const { request_uri } = readRecord(what, answer)
  if (typeof request_uri !== 'string' || request_uri === '') throw unexpectedAnswer(what)
  ports.record('pushed request', 'done', 'the server took it')
  const url = new URL(metadata.authorization_endpoint)
  url.searchParams.set('client_id', clientId)
  url.searchParams.set('request_uri', request_uri)
  return url.href
}
