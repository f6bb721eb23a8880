// The address to come back to, as another server may have it: without the codes and tokens of others, which start-up leaves in it.
import {
  isTokenShaped,
  readPieces,
  TOKEN_PARAMETERS,
  withoutForeignAnswer,
  withoutPieces,
} from '../../../protocol/address.ts'
import type { Context } from '../../context.ts'

export function returnAddress({ settings, platform }: Pick<Context, 'settings' | 'platform'>): string {
  const address = withoutForeignAnswer(platform.address(), settings.server.readAnswer)
  const tokens = readPieces(address).flatMap(([piece, name, value]) =>
    TOKEN_PARAMETERS.includes(name) && isTokenShaped(value) ? piece : [],
  )
  return withoutPieces(address, tokens)
}
