// An app without a framework, which signs its users in at the server that the walk has named.
import { createAuth } from 'latchkey'
import { endSession } from 'latchkey/front-channel'
import { type OpenIdConnectOptions, openIdConnect } from 'latchkey/oidc'

interface Settings {
  options: OpenIdConnectOptions
  clientId: string
  scopes: string[]
}

const { options, ...rest } = Reflect.get(window, 'settings') as Settings

/** As docs/servers/keycloak.md has it. */
const claims: OpenIdConnectOptions['claims'] = ({ sub, sid, organization }) => ({
  userId: String(sub),
  sessionId: sid as string | undefined,
  firmId: Array.isArray(organization) ? String(organization[0]) : Object.keys(Object(organization))[0],
})

if (location.pathname === '/signed-out.html') {
  document.body.textContent = String(endSession({ issuer: options.issuer, clientId: rest.clientId }))
} else {
  const auth = createAuth({
    ...rest,
    server: openIdConnect({ ...options, ...(options.organization && { claims }) }),
  })
  auth.subscribe(() => {
    document.body.textContent = auth.getState().status
  })
  Reflect.set(window, 'auth', auth)
  void auth.start()
}
