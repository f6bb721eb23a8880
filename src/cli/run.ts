// The commands of `npx latchkey`, with the terminal handed in.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { checkServer } from './check/checkServer.ts'
import { examine } from './doctor.ts'
import { init, type QuickStart } from './init.ts'
import { type Finding, printable, reportText } from './report.ts'

export interface Terminal {
  /** The folder that the command is called in. */
  readonly folder: string
  tell(line: string): void
  complain(line: string): void
  /** Asks yes or no; `undefined`: there is no terminal to answer. */
  ask: ((question: string) => Promise<boolean>) | undefined
}

/** Values that the build inserts. */
export interface Contents {
  readonly quickStart: QuickStart
  readonly texts: Readonly<Record<'inline' | 'oidc', string>>
  /** The folder of this package. */
  readonly ownFolder: string
}

const USAGE = `npx latchkey <command>

  check <address> --client <clientId>    does this server suit latchkey?
    <address>      the authHost; with --oidc the issuer
    --redirect     registered redirect URI, http://localhost:5173/ without one
    --scopes       with commas; openid,profile without them
    --oidc         an OpenID Connect provider instead of a server of latchkey's own contract
    --discovery    where the metadata are, if not at <issuer>/.well-known/openid-configuration
    --dpop         tokens are bound to a key, as with dpop of openIdConnect
    --sign-in      checks a session too: prints an address to open in a browser

  doctor [folder]                        what is set up wrongly in this app? Reads files only

  init [folder]                          writes the files of the quick start into a Vite app
    --auth-host    your server; or --issuer, an OpenID Connect provider
    --client       the app's name at the server, admin without one
    --yes          replaces files without a question`

/** Returns the exit code: 0 all is well, 1 something is wrong, 2 the command was not understood. */
export async function run(words: readonly string[], terminal: Terminal, contents: Contents): Promise<number> {
  const said = parse(words)
  if (said === undefined || said.values.help || said.positionals.length === 0) {
    const isAsked = said?.values.help === true
    ;(isAsked ? terminal.tell : terminal.complain)(USAGE)
    return isAsked ? 0 : 2
  }
  const [command, place] = said.positionals
  const { values } = said
  if (command === 'check') return check(place ?? '', values, terminal)
  if (command === 'doctor')
    return report(await examine(resolve(terminal.folder, place ?? '.'), contents), terminal)
  if (command === 'init') {
    const addresses = [values['auth-host'], values.issuer].filter((one) => one !== undefined)
    if (addresses.length > 1 || addresses.some((one) => !URL.canParse(one))) {
      terminal.complain('Give one address, with https://: --auth-host or --issuer.')
      return 2
    }
    const isDone = await init(
      {
        root: resolve(terminal.folder, place ?? '.'),
        authHost: values['auth-host'],
        issuer: values.issuer,
        clientId: values.client,
        ask: (!values.yes && terminal.ask) || (async () => values.yes),
        tell: (line) => terminal.tell(shown(line)),
      },
      contents.quickStart,
    )
    return isDone ? 0 : 1
  }
  terminal.complain(`There is no command ${printable(command ?? '')}.\n\n${USAGE}`)
  return 2
}

/** Only latchkey's own line ends count; the text in between may come from a server. */
const shown = (text: string) => text.split('\n').map(printable).join('\n')

type Said = NonNullable<ReturnType<typeof parse>>

function parse(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        client: { type: 'string' },
        redirect: { type: 'string', default: 'http://localhost:5173/' },
        scopes: { type: 'string', default: 'openid,profile' },
        oidc: { type: 'boolean', default: false },
        discovery: { type: 'string' },
        dpop: { type: 'boolean', default: false },
        'sign-in': { type: 'boolean', default: false },
        'auth-host': { type: 'string' },
        issuer: { type: 'string' },
        yes: { type: 'boolean', short: 'y', default: false },
      },
    })
  } catch {
    return undefined
  }
}

async function check(address: string, values: Said['values'], terminal: Terminal): Promise<number> {
  const { client, redirect, discovery } = values
  const addresses = [address, redirect, discovery ?? address]
  if (client === undefined || !addresses.every((one) => URL.canParse(one))) {
    terminal.complain(USAGE)
    return 2
  }
  const findings = await checkServer({
    address,
    clientId: client,
    redirectUri: redirect,
    scopes: values.scopes.split(/[\s,]+/).filter((scope) => scope !== ''),
    isOidc: values.oidc,
    discoveryUrl: discovery,
    isBound: values.dpop,
    hasSignIn: values['sign-in'],
    tell: (line) => terminal.tell(shown(line)),
  })
  return report(findings, terminal)
}

function report(findings: readonly Finding[], { tell }: Terminal): number {
  tell(reportText(findings))
  return findings.some(({ verdict }) => verdict === 'broken') ? 1 : 0
}
