// The one auth object of this app; made outside React, so that plain functions may use it too.
import { createAuth } from 'latchkey'
import { appConfig } from 'virtual:app-config'

export const auth = createAuth({
  ...appConfig.auth,
  // What this app says on a page or a banner of its own is not said by a toast as well.
  messages: {
    offline: '',
    idleSignedOut: '',
    sessionClash: '',
    sessionEnded: '',
    signedOutElsewhere: '',
    signedOutOffline: '',
  },
})
