'use client'
// Chooses the cloud provider of a firm.
import { useMutation, type UseMutationResult } from '@tanstack/react-query'
import type { AuthError } from '../errors.ts'
import type { FirmUpdate } from '../protocol/firm.ts'
import { useAuthObject } from '../provider/context.ts'
import { updateFirmMutation } from '../queries/firm.ts'

/**
 * Chooses the cloud provider of a firm. Variables: `{ id, cloudProviderId }`, where `id` is the firm.
 *
 * @throws AuthError `no-provider`
 * @example
 * useUpdateFirm().mutate({ id: 'firm-1', cloudProviderId: 'cumulus' })
 */
export function useUpdateFirm(): UseMutationResult<void, AuthError, FirmUpdate> {
  return useMutation(updateFirmMutation(useAuthObject()))
}
