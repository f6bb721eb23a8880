// What a call throws, as its caller meets it.
import { AuthError } from '../../src/base/errors.ts'

/** The AuthError that `work` throws; any other error goes on, and none at all is an error too. */
export function errorOf(work: () => unknown): AuthError {
  try {
    work()
  } catch (error) {
    if (error instanceof AuthError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

/** What that error says: code, message, remedy. */
export function told(work: () => unknown) {
  const { code, message, remedy } = errorOf(work)
  return [code, message, remedy]
}

/** A function that throws this. */
export const throwing = (thrown: unknown) => (): never => {
  throw thrown
}
