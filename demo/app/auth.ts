// The one auth object of this app; made outside React, so that plain functions may use it too.
import { type Auth, createAuth, type RealtimeConfig } from 'latchkey'
import { appConfig } from 'virtual:app-config'

const { realtime } = appConfig

export const auth: Auth = createAuth({
  ...appConfig.auth,
  ...(realtime && {
    realtime: {
      publishKey: 'local',
      subscribeKey: 'local',
      origin: realtime.origin,
      ssl: false,
      async getToken({ presenceId }) {
        const answer = await auth.fetch<{ token: string }>(`${realtime.deskOrigin}/token`, {
          method: 'POST',
          body: { presenceId },
        })
        return answer.token
      },
    } satisfies RealtimeConfig,
  }),
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
