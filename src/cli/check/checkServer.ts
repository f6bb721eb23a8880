// Checks a server against docs/serverContract.md, or an OpenID Connect provider against the needs of latchkey/oidc.
import { isLoopback } from '../../protocol/origin.ts'
import { createProver } from './dpop.ts'
import { discover } from './discovery.ts'
import { checkWithoutSession } from './openChecks.ts'
import { createReport, type Finding, unchecked } from '../report.ts'
import { firmServer, type Subject } from './server.ts'
import { checkWithSession } from './sessionChecks.ts'
import { openVisits } from './visits.ts'

export interface CheckOptions extends Omit<Subject, 'prover'> {
  /** The authHost, or the issuer of an OpenID Connect provider. */
  readonly address: string
  readonly isOidc?: boolean
  /** URL of the metadata, if not the issuer's usual one. */
  readonly discoveryUrl?: string | undefined
  /** Waits for a sign-in with a browser, and checks codes, tokens, rotation and logout too. */
  readonly hasSignIn?: boolean
  /** Binds the tokens to a key, as the option `dpop` of openIdConnect does. */
  readonly isBound?: boolean
  /** Prints the URL of the sign-in. */
  readonly tell: (line: string) => void
}

export async function checkServer(options: CheckOptions): Promise<readonly Finding[]> {
  const { address, isOidc, hasSignIn, isBound, discoveryUrl, tell, ...asked } = options
  const subject: Subject = { ...asked, prover: isBound ? createProver() : undefined }
  const report = createReport()
  const { protocol, hostname, origin } = new URL(address)
  await report.check(address, {
    https: {
      promise: 'The address is https',
      fix: 'Serve it by https; http is for this computer only.',
      find: () => (protocol === 'https:' || isLoopback(hostname) ? undefined : address),
    },
  })
  const server = isOidc ? await discover(report, subject, address, discoveryUrl) : firmServer(subject, origin)
  const begun = server && (await checkWithoutSession(report, server))
  if (begun && hasSignIn) {
    const visits = await openVisits(begun.redirectUri, tell)
    try {
      await checkWithSession(report, begun, visits)
    } finally {
      await visits.end()
    }
  } else if (begun)
    await report.check(begun, {
      session: {
        promise: 'Codes, tokens, rotation and logout',
        find: () => unchecked('add --sign-in, and sign in with a browser'),
      },
    })
  return report.findings()
}
