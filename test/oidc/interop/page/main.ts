// An app without a framework, which signs its users in at the server that settings.json names.
import { createAuth } from 'latchkey'
import { type OpenIdConnectOptions, openIdConnect } from 'latchkey/oidc'

interface Settings {
  options: OpenIdConnectOptions
  clientId: string
  scopes: string[]
}

const { options, ...rest } = (await (await fetch('/settings.json')).json()) as Settings
const auth = createAuth({ ...rest, server: openIdConnect(options) })
auth.subscribe(() => {
  document.body.textContent = auth.getState().status
})
Reflect.set(window, 'auth', auth)
void auth.start()
