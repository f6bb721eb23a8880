// Stands for everything that sends people to the app with something in the address: other apps of the firm, mails, old bookmarks.
import { listenOnLoopback } from '../authServer/listen.ts'
import type { AuthServer } from '../authServer/start.ts'

export type AddressDesk = Awaited<ReturnType<typeof startAddressDesk>>

/** Where every link leads: a place deep in the app, with parameters of its own. */
const PLACE = '/activity?from=desk%20link&x=1'
const HASH = '#steps'

/** A fresh token with every click: a `jti` works once. */
export async function startAddressDesk({ authServer }: { authServer: AuthServer }) {
  let appOrigin = ''
  const mint = (claims?: Record<string, unknown>, userId = 'chiara') =>
    authServer.mintAccessToken({ userId, ...(claims && { claims }) })
  const addresses: Readonly<Record<string, () => string>> = {
    right: () => `&token=${mint()}`,
    foreign: () => `&token=${mint({ aud: 'payroll' })}`,
    nobody: () => `&token=not-a-token`,
    expired: () => `&jwt=${authServer.mintAccessToken({ userId: 'chiara', lifetimeSeconds: -60 })}`,
    audience: () => `&access_token=${mint({ aud: ['payroll', 'archive'] })}`,
    two: () => `&token=${mint()}&auth=${mint(undefined, 'bram')}`,
    code: () => '&code=of-another-product&state=Zz9Zz9',
  }

  const listening = await listenOnLoopback({ host: 'localhost', port: 0 }, (request, response) => {
    const name = new URL(request.url ?? '/', 'http://desk.invalid').pathname.slice(1)
    const parameters = Object.hasOwn(addresses, name) ? addresses[name] : undefined
    if (parameters) {
      response.writeHead(302, { location: `${appOrigin}${PLACE}${parameters()}${HASH}` }).end()
      return
    }
    if (name !== 'init') {
      response.writeHead(404).end()
      return
    }
    // Hands the token to the page that follows, beside the address: what a host application does for initToken.
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    const [given, next] = [`demo-init ${mint()}`, `${appOrigin}${PLACE}${HASH}`].map((text) =>
      JSON.stringify(text),
    )
    response.end(
      `<!doctype html><title>Desk</title><script>window.name = ${given}; location.replace(${next})</script>`,
    )
  })

  return {
    origin: listening.origin,
    setAppOrigin: (origin: string) => void (appOrigin = origin),
    close: listening.close,
  }
}
