// What the app is told where its servers lie in the page itself: they are below its own path, answered by a service worker.
import type { AppConfig } from '../appServer/appConfig.ts'
import { firmServer } from '../../src/protocol/servers/firm.ts'
import type { ServerFeature } from '../../src/index.ts'
import { ACCESS_TOKEN_SECONDS, CLIENT_ID, SERVER_FOLDER } from './constants.ts'

/** They need a second origin, or a page of the server that the kit does not have. */
const MISSING: readonly ServerFeature[] = ['environments', 'passthrough', 'assertion', 'changePassword']

/** In less room the devtools would hide the app. */
const WIDE_PX = 700

const { href } = new URL(import.meta.env.BASE_URL, location.origin)
const authHost = href + SERVER_FOLDER

export const appConfig: AppConfig = {
  auth: {
    clientId: CLIENT_ID,
    scopes: ['openid', 'profile', 'offline_access'],
    autoRefreshToken: true,
    redirectUri: href,
  },
  server: { ...firmServer({ authHost }), supports: (feature) => !MISSING.includes(feature) },
  userInfoUrl: `${authHost}/api/userinfo`,
  opensDevtools: innerWidth >= WIDE_PX && self === top,
  accessTokenLifetimeSeconds: ACCESS_TOKEN_SECONDS,
}
