// npm run check-server -- https://auth.example.com --client admin: does this server keep docs/serverContract.md? With --oidc: does this provider suit latchkey/oidc?
import { parseArgs } from 'node:util'
import { isLoopback } from '../src/protocol/loopback.ts'
import { discover } from './serverCheck/discovery.ts'
import { checkWithoutSession } from './serverCheck/openChecks.ts'
import { createReport, fault, type Finding, reportText } from './serverCheck/report.ts'
import { firmServer, type Subject } from './serverCheck/server.ts'
import { checkWithSession } from './serverCheck/sessionChecks.ts'
import { openVisits } from './serverCheck/visits.ts'

export interface CheckOptions extends Subject {
  /** The authHost, or the issuer of an OpenID Connect provider. */
  readonly address: string
  readonly isOidc?: boolean
  /** Waits for somebody to sign in with a browser, and checks codes, tokens, rotation and logout too. */
  readonly hasSignIn?: boolean
  readonly tell?: (line: string) => void
}

export async function checkServer(options: CheckOptions): Promise<readonly Finding[]> {
  const { address, isOidc = false, hasSignIn = false, tell = console.log, ...subject } = options
  const report = createReport()
  const { protocol, hostname, origin } = new URL(address)
  await report.check('https', 'The address is https', () =>
    protocol === 'https:' || isLoopback(hostname)
      ? undefined
      : fault(address, 'Serve it by https; http is for this computer only.'),
  )
  const server = isOidc ? await discover(report, subject, address) : firmServer(subject, origin)
  if (!server) return report.findings
  if (!(await checkWithoutSession(report, server))) return report.findings
  if (!hasSignIn) {
    report.skip('session', 'Codes, tokens, rotation and logout', 'add --sign-in, and sign in with a browser')
    return report.findings
  }
  const visits = await openVisits(server.redirectUri, tell)
  try {
    await checkWithSession(report, server, visits)
  } finally {
    await visits.end()
  }
  return report.findings
}

const USAGE = `npm run check-server -- <address> --client <clientId> [options]

  <address>    the authHost; with --oidc the issuer
  --redirect   registered redirect address, http://localhost:5173/ without one
  --scopes     with commas; openid,profile without them
  --oidc       an OpenID Connect provider instead of a server of latchkey's own contract
  --sign-in    checks a session too: prints an address to open in a browser`

if (import.meta.main) await run()

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      client: { type: 'string' },
      redirect: { type: 'string', default: 'http://localhost:5173/' },
      scopes: { type: 'string', default: 'openid,profile' },
      oidc: { type: 'boolean', default: false },
      'sign-in': { type: 'boolean', default: false },
    },
  })
  const [address = ''] = positionals
  const { client, redirect } = values
  if (!URL.canParse(address) || !URL.canParse(redirect) || client === undefined) {
    console.error(USAGE)
    process.exitCode = 2
    return
  }
  const findings = await checkServer({
    address,
    clientId: client,
    redirectUri: redirect,
    scopes: values.scopes.split(/[\s,]+/).filter((scope) => scope !== ''),
    isOidc: values.oidc,
    hasSignIn: values['sign-in'],
  })
  console.log(reportText(findings))
  if (findings.some(({ verdict }) => verdict === 'broken')) process.exitCode = 1
}
