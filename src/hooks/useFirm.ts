'use client'
// Chooses the cloud provider of a firm.
import type { UseMutationResult } from '@tanstack/react-query'
import type { AuthError } from '../errors.ts'
import { type FirmUpdate, updateFirmMutation } from '../queries/firm.ts'
import type { WriteOptions } from '../queries/types.ts'
import { useWrite } from './useWrite.ts'

/**
 * Chooses the cloud provider of a firm. Variables: `{ id, cloudProviderId }`, where `id` is the firm.
 *
 * @throws AuthError `no-provider`
 * @example
 * useUpdateFirm().mutate({ id: 'firm-1', cloudProviderId: 'cumulus' })
 */
export function useUpdateFirm<OnMutate = unknown>(
  options?: WriteOptions<void, FirmUpdate, OnMutate>,
): UseMutationResult<void, AuthError, FirmUpdate, OnMutate> {
  return useWrite(updateFirmMutation, options)
}
