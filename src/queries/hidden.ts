// Keeps what a mutation is given in confidence out of its row in the query devtools, and out of its errors.
import type { MutationKey, QueryClient } from '@tanstack/react-query'
import { AuthError } from '../errors.ts'
import { redact } from '../protocol/redaction.ts'

/**
 * Puts other variables in the row of a running mutation. The hooks wrap secrets beforehand; this is for those who use a
 * factory by itself.
 */
export function hideVariables<Variables>(
  client: QueryClient,
  options: { mutationKey: MutationKey; given: Variables; shown: Variables },
): void {
  for (const row of client.getMutationCache().findAll({ mutationKey: options.mutationKey, exact: true })) {
    if (row.state.variables === options.given) row.state = { ...row.state, variables: options.shown }
  }
}

/** Does the work; an error in which the server repeats the secret comes without it. */
export async function inConfidence<Result>(secret: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AuthError) || error.body === undefined) throw error
    const { code, message, remedy, status, retryable, retryAfterMs } = error
    const body = redact(error.body, [secret])
    throw new AuthError(code, message, { remedy, status, retryable, retryAfterMs, body })
  }
}
