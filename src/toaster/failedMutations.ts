// Shows a toast for each failed mutation that asks for one through its meta.
import type { Mutation, QueryClient } from '@tanstack/react-query'
import { identityOf } from '../protocol/identity.ts'
import { userText } from '../protocol/userText.ts'
import type { Say } from '../provider/context.ts'
import type { Auth } from '../session/auth.ts'
import { cleanText } from '../protocol/redaction.ts'
import { toastQueue } from './toastQueue.tsx'

/** Starts to listen; returns the function that stops. `meta.notify`: `true`, a text, or a function of the error that returns a text. */
export function showFailedMutations(client: QueryClient, auth: Auth | undefined, say: Say): () => void {
  const begunBy = new WeakMap<object, string>()
  const who = () => {
    const state = auth?.getState()
    return state?.status === 'authenticated' ? identityOf(state.user) : ''
  }
  return client.getMutationCache().subscribe(({ type, mutation: found }) => {
    const mutation = found as Mutation | undefined
    const notify = mutation?.meta?.['notify']
    if (!mutation || notify === undefined || notify === false) return
    const { status, error } = mutation.state
    if (status === 'pending' && !begunBy.has(mutation)) begunBy.set(mutation, who())
    if (type !== 'updated' || status !== 'error') return
    const isOfThisUser = (begunBy.get(mutation) ?? who()) === who()
    begunBy.delete(mutation)
    // The next user must not see the failures of the previous one.
    const text = isOfThisUser ? cleanText(textFor(error, notify, say)) : ''
    if (text !== '') toastQueue.add({ kind: 'error', text })
  })
}

function textFor(error: unknown, notify: unknown, say: Say): string {
  if (typeof notify === 'string') return notify
  try {
    const said = typeof notify === 'function' ? (notify as (error: unknown) => unknown)(error) : true
    return typeof said === 'string' ? said : said === true ? userText(error, say) : ''
  } catch {
    return userText(error, say)
  }
}
