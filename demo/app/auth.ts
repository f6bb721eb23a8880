// The one auth object of this app; made outside React, so that plain functions may use it too.
import { createAuth } from 'latchkey'
import { appConfig } from 'virtual:app-config'

export const auth = createAuth(appConfig.auth)
