// Chooses the cloud provider of a firm.
import { assertWritten } from '../protocol/answers.ts'
import type { Id } from '../protocol/claims.ts'
import { firmPath } from '../protocol/endpoints.ts'
import type { Auth } from '../session/auth.ts'
import { internalsOf } from '../session/internals.ts'
import { cloudProviderIdRequired } from '../base/sessionErrors.ts'
import { type AuthMutation, writeMutation } from './defaults.ts'
import { userInfoQuery } from './userInfo.ts'

/** A change of a firm. */
export interface FirmUpdate {
  /** The id of the firm. */
  id: Id
  /** The id of its new cloud provider. */
  cloudProviderId: Id
}

/** Returns the body to send. @throws AuthError `cloud-provider-id-required` */
export function checkFirmUpdate({ id, cloudProviderId }: FirmUpdate): FirmUpdate {
  const isGiven =
    typeof cloudProviderId === 'number' ? Number.isFinite(cloudProviderId) : isText(cloudProviderId)
  if (!isGiven) throw cloudProviderIdRequired()
  return { id, cloudProviderId }
}

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== ''

/** The write of `useUpdateFirm`. */
export function updateFirmMutation(auth: Auth): AuthMutation<void, FirmUpdate> {
  return writeMutation(auth, 'update firm', async (update, { client }) => {
    const body = checkFirmUpdate(update)
    const path = firmPath(body.id)
    try {
      assertWritten(`PUT ${path}`, await internalsOf(auth).call({ method: 'PUT', path, body }))
    } finally {
      // Also after an error: the request may have reached the server.
      void client.invalidateQueries({ queryKey: userInfoQuery(auth).queryKey })
    }
  })
}
