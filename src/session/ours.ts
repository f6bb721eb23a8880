// Makes an error of ours of whatever keeps a file from loading.
import { asAuthError } from '../protocol/signIn.ts'

/** The same promise; rejects with AuthError. */
export const ours = <Result>(work: Promise<Result>): Promise<Result> =>
  work.catch((error: unknown) => {
    throw asAuthError(error)
  })
