// An app without a framework, which signs its users in at the server that settings.json names.
import { createAuth } from 'latchkey'
import { endSession } from 'latchkey/front-channel'
import { type OpenIdConnectOptions, openIdConnect } from 'latchkey/oidc'

interface Settings {
  options: OpenIdConnectOptions
  clientId: string
  scopes: string[]
}

const { options, ...rest } = (await (await fetch('/settings.json')).json()) as Settings
if (location.pathname === '/signed-out.html') {
  document.body.textContent = String(endSession({ issuer: options.issuer, clientId: rest.clientId }))
} else {
  const auth = createAuth({ ...rest, server: openIdConnect(options) })
  auth.subscribe(() => {
    document.body.textContent = auth.getState().status
  })
  Reflect.set(window, 'auth', auth)
  void auth.start()
}
