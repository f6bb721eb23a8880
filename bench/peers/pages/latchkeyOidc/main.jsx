// This library with an OpenID Connect provider.
import { createAuth } from 'latchkey'
import { openIdConnect } from 'latchkey/oidc'
import { config } from '../../page/offer.jsx'
import { options, showDesk } from '../latchkey/desk.jsx'

showDesk(createAuth({ server: openIdConnect({ issuer: config.origin }), ...options }))
