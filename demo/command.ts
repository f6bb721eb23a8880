// What the commands of the demo share: their words, and an end on Ctrl-C that leaves nothing behind.
import { parseArgs } from 'node:util'

export interface Running {
  /** What the command prints once it runs. */
  readonly welcome: string
  close(): Promise<void>
}

export function readWords(defaultPort: string) {
  const { server, port, ...switches } = parseArgs({
    options: {
      server: { type: 'string', default: 'latchkey' },
      // An empty variable is none.
      port: { type: 'string', default: process.env['PORT'] || defaultPort },
      dpop: { type: 'boolean', default: false },
      par: { type: 'boolean', default: false },
    },
  }).values
  if (server !== 'latchkey' && server !== 'oidc') stop('--server must be one of latchkey, oidc')
  if (!/^\d{1,5}$/.test(port)) stop('--port must be a number')
  if ((switches.dpop || switches.par) && server !== 'oidc') stop('--dpop and --par go with --server oidc')
  return { server, port: Number(port), isBound: switches.dpop, isPushed: switches.par }
}

export async function run(starting: Promise<Running>, port: number): Promise<void> {
  const running = await starting.catch((error: unknown) =>
    stop(
      (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
        ? `Port ${port} is in use: end what listens there, or name another one with --port`
        : String(error),
    ),
  )
  const end = async () => {
    await running.close()
    console.log('\nThe demo has ended.')
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void end())
  console.log(running.welcome)
}

function stop(sentence: string): never {
  console.error(sentence)
  process.exit(1)
}
