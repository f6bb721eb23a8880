// Checks a DPoP proof: the caller has the key of the token, for this request, and once (RFC 9449 §4.3).
import { calculateJwkThumbprint, EmbeddedJWK, type JWTPayload, jwtVerify } from 'jose'
import { hashText } from '../protocol/pkce.ts'
import { TokenRefused } from './tokenRefused.ts'

/** Maximum age of a proof. */
const PROOF_LIFETIME_MS = 60_000
/** Proofs remembered in memory: 1,600 calls per second. Calls beyond that are refused, so that no proof is accepted twice. */
const MOST_PROOFS = 100_000
const LARGEST_PROOF_LENGTH = 8_192

type Remember = (id: string, untilMs: number) => boolean | Promise<boolean>

interface ProofOptions {
  readonly publicUrl?: ((request: Request) => string) | undefined
  readonly rememberProof?: Remember | undefined
  readonly clockToleranceInSeconds: number
}

/** Signature algorithms with public keys: the server's keys cannot sign. */
export const ASYMMETRIC: readonly string[] = ['RS', 'PS', 'ES']
  .flatMap((family) => ['256', '384', '512'].map((bits) => family + bits))
  .concat('EdDSA', 'Ed25519')

export function createProofCheck({
  publicUrl = ({ url }) => url,
  rememberProof = createMemory(),
  clockToleranceInSeconds,
}: ProofOptions) {
  const toleranceMs = clockToleranceInSeconds * 1000

  /** @throws TokenRefused `invalid-proof` */
  return async (request: Request, token: string, jkt: string): Promise<void> => {
    const proof = request.headers.get('dpop')
    // Two headers arrive as one, with a comma.
    if (proof === null || proof.length > LARGEST_PROOF_LENGTH || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(proof))
      throw refused('There is no proof, or more than one')
    const { payload, thumbprint } = await verify(proof)
    if (thumbprint !== jkt) throw refused('The proof is of another key')
    const { htm, htu, iat, jti, ath } = payload as JWTPayload & Record<string, unknown>
    if (htm !== request.method) throw refused('The proof is for another method')
    if (typeof htu !== 'string' || addressOf(htu) !== addressOf(publicUrl(request)))
      throw refused('The proof is for another address')
    if (ath !== (await hashText(token, crypto.subtle))) throw refused('The proof is for another token')
    const ageMs = Date.now() - Number(iat) * 1000
    if (typeof iat !== 'number' || !(ageMs <= PROOF_LIFETIME_MS + toleranceMs && ageMs >= -toleranceMs))
      throw refused('The proof is too old, or of the future')
    if (typeof jti !== 'string' || jti === '' || jti.length > 200) throw refused('The proof has no id')
    // Last, so that only a valid proof is stored.
    const untilMs = iat * 1000 + PROOF_LIFETIME_MS + toleranceMs
    if (!(await rememberProof(`${jkt} ${jti}`, untilMs))) throw refused('The proof was used before')
  }
}

async function verify(proof: string): Promise<{ payload: JWTPayload; thumbprint: string }> {
  try {
    const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, {
      typ: 'dpop+jwt',
      algorithms: [...ASYMMETRIC],
      // Its age is checked above.
      clockTolerance: Number.MAX_SAFE_INTEGER,
    })
    const { jwk } = protectedHeader
    if (!jwk || 'd' in jwk || 'k' in jwk) throw refused('The proof has no public key')
    return { payload, thumbprint: await calculateJwkThumbprint(jwk) }
  } catch (error) {
    throw error instanceof TokenRefused ? error : refused('The proof cannot be verified')
  }
}

const refused = (message: string) => new TokenRefused('invalid-proof', message, { scheme: 'DPoP' })

/** The URL normalized, without query and hash; an invalid URL equals no other. */
function addressOf(address: string): string | symbol {
  if (!URL.canParse(address)) return Symbol('none')
  const { origin, pathname } = new URL(address)
  return origin + pathname
}

function createMemory(): Remember {
  const known = new Map<string, number>()
  return (id, untilMs) => {
    const nowMs = Date.now()
    if (known.has(id)) return false
    if (known.size >= MOST_PROOFS) for (const [old, endMs] of known) if (endMs < nowMs) known.delete(old)
    if (known.size >= MOST_PROOFS) return false
    known.set(id, untilMs)
    return true
  }
}
