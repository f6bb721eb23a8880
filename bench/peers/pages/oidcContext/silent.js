// The page in the hidden frame of react-oidc-context: it passes its own URL to the page around it.
import { UserManager } from 'oidc-client-ts'

const { origin, clientId } = window.benchConfig
void new UserManager({ authority: origin, client_id: clientId, redirect_uri: location.href }).signinCallback()
