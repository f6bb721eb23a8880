// Checks a change of a firm: its cloud provider.
import { cloudProviderIdRequired } from '../sessionErrors.ts'
import type { Id } from './claims.ts'

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
