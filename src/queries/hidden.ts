// Keeps the secret variables of a mutation out of the query devtools and out of its errors.
import type { MutationKey, QueryClient } from '@tanstack/react-query'
import { AuthError } from '../base/errors.ts'
import { redact } from '../protocol/redaction.ts'

/**
 * Replaces the variables of a running mutation. The hooks wrap secrets before; this is for apps that use the factory without
 * the hook.
 */
export function hideVariables<Variables>(
  client: QueryClient,
  options: { mutationKey: MutationKey; given: Variables; shown: Variables },
): void {
  for (const row of client.getMutationCache().findAll({ mutationKey: options.mutationKey, exact: true })) {
    if (row.state.variables === options.given) row.state = { ...row.state, variables: options.shown }
  }
}

/** Runs the work, and removes the secret from its errors: the server may repeat it. */
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
