// What all our queries and mutations share: one retry layer, never paused, marked as ours (architecture "Where state lives").
import type { AuthError } from '../errors.ts'
import type { AuthQuery } from './types.ts'

/** Marks what is ours, so that an app-wide rule can leave it out. */
export const META: Record<string, unknown> = { source: 'latchkey' }

/** Marks what must not be kept or shown. */
export const SENSITIVE_META: Record<string, unknown> = { source: 'latchkey', sensitive: true }

const LARGEST_RETRY_COUNT = 2

/** Reads are repeated at most twice, and only what a repeat can cure; offline it fails at once, in sight. */
export const READ_DEFAULTS: Omit<AuthQuery<never>, 'queryKey' | 'queryFn'> = {
  networkMode: 'always',
  retry: (failureCount: number, error: AuthError) =>
    failureCount < LARGEST_RETRY_COUNT && error.retryable && error.code !== 'offline',
  retryDelay: (failureCount: number, error: AuthError) =>
    error.retryAfterMs ?? (0.5 + Math.random()) * 1000 * 2 ** failureCount,
  meta: META,
}

/** Writes are never repeated by themselves. */
export const WRITE_DEFAULTS: {
  readonly networkMode: 'always'
  readonly retry: false
  readonly meta: Record<string, unknown>
} = { networkMode: 'always', retry: false, meta: META }
