// What the demo's app is told when it starts: which servers to use, and how the session is to behave.
import type { AuthOptions, ServerProfile } from '../../src/index.ts'
import type { OpenIdConnectOptions } from '../../src/oidc/index.ts'

/** Plain data, because it travels to the browser as a module; hooks and texts are set by the app itself. */
export interface AppConfig {
  auth: Omit<AuthOptions, 'hooks' | 'messages'> & { authHost?: string }
  /** An OpenID Connect provider in place of `auth.authHost`. */
  provider?: OpenIdConnectOptions
  /** Made by the page itself, where the servers lie in it. */
  server?: ServerProfile
  /** Where the server tells who the user is, for a call of the app's own. */
  userInfoUrl: string
  /** Real time, when the demo runs it: the service and the firm's own server. */
  realtime?: { origin: string; deskOrigin: string }
  /** How long an access token lives, for the words on the home screen. */
  accessTokenLifetimeSeconds: number
  /** False under a policy that Monaco cannot work with: the JSON editor keeps to its textarea, and nothing is tried. */
  hasFullEditor?: boolean
  /** Default false: the devtools are closed at first. */
  opensDevtools?: boolean
  /** The other environment and the desk whose links lead here, when the demo runs them. */
  addresses?: { environment: 'eu' | 'us'; deskOrigin: string; otherAppOrigin: string }
  /** The app of another environment: the same files at another host of this computer. */
  other?: { hostname: string; config: AppConfig }
}

/** The module that the app imports to read its configuration. */
export const APP_CONFIG_MODULE = 'virtual:app-config'

/** What the app at this host is told. */
export const configAt = (config: AppConfig, hostname: string): AppConfig =>
  config.other?.hostname === hostname ? config.other.config : config

export function appConfigSource({ other, ...config }: AppConfig): string {
  const own = JSON.stringify(config)
  const whole = other
    ? `location.hostname === '${other.hostname}' ? ${JSON.stringify(other.config)} : ${own}`
    : own
  return `export const appConfig = ${whole}\n`
}
