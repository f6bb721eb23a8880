// The one auth object of this app; made outside React, so that plain functions may use it too.
import { type Auth, createAuth, type ServerFeature } from 'latchkey'
import { openIdConnect } from 'latchkey/oidc'
import { pubnub } from 'latchkey/pubnub'
import { appConfig } from 'virtual:app-config'

const { server, provider, realtime } = appConfig
const { authHost = '', ...settings } = appConfig.auth

export const auth: Auth = createAuth({
  ...settings,
  ...(server ? { server } : provider ? { server: openIdConnect(provider) } : { authHost }),
  claims: ({ role }) => ({ role: role === 'administrator' ? role : 'member' }),
  initToken: takeInitToken(),
  ...(realtime && {
    realtime: pubnub({
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
    }),
  }),
  // What this app says on a page or a banner of its own is not said by a toast as well.
  messages: {
    offline: '',
    idleSignedOut: '',
    otherUser: '',
    sessionClash: '',
    sessionEnded: '',
    signedOutElsewhere: '',
    signedOutOffline: '',
  },
})

/** Whether the server has what a screen needs, asked before any request. */
export const serverHas = (feature: ServerFeature | undefined): boolean =>
  feature === undefined || auth.supports(feature)

/** A token that the page before this one left for us; here a link of the demo, elsewhere the host application. */
function takeInitToken(): string | undefined {
  const mark = 'demo-init '
  if (!window.name.startsWith(mark)) return undefined
  const token = window.name.slice(mark.length)
  window.name = ''
  return token
}
