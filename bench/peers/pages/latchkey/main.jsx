// This library with a server of its own contract.
import { createAuth } from 'latchkey'
import { config } from '../../page/offer.jsx'
import { options, showDesk } from './desk.jsx'

showDesk(createAuth({ authHost: config.origin, ...options }))
