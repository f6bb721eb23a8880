// Keeps the secret variables of a mutation out of the query devtools and out of its errors.
import { AuthError } from '../base/errors.ts'
import { redact } from '../protocol/redaction.ts'
import { Secret } from '../protocol/secret.ts'
import type { Auth } from '../session/auth.ts'
import { SENSITIVE_META, writeMutation } from './defaults.ts'
import { actionKey } from './keys.ts'
import type { AuthMutation } from './types.ts'

/** Returns the variables with one member wrapped in a `Secret`. */
export function hideIn<Variables extends object>(variables: Variables, name: keyof Variables): Variables {
  const value = variables[name]
  return typeof value === 'string' ? { ...variables, [name]: new Secret(value) } : variables
}

/** A write whose variables hold a secret, which `hide` wraps: nothing of it is cached or shown. */
export function secretMutation<Data, Variables>(
  auth: Auth,
  name: string,
  hide: (variables: Variables) => Variables,
  work: (variables: Variables) => Promise<Data>,
): AuthMutation<Data, Variables> {
  const mutationKey = actionKey(auth, name)
  const mutation = writeMutation<Data, Variables>(auth, name, async (variables, { client }) => {
    // The hooks wrap the secret before; this is for apps that use the factory without the hook.
    for (const row of client.getMutationCache().findAll({ mutationKey, exact: true }))
      if (row.state.variables === variables) row.state = { ...row.state, variables: hide(variables) }
    return work(variables)
  })
  return { ...mutation, gcTime: 0, meta: SENSITIVE_META }
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
