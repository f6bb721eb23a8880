// The servers that somebody else wrote.
import type { InteropServer } from './interopServer.ts'
import { betterAuth } from './servers/betterAuth.ts'
import { django } from './servers/django.ts'
import { glewlwyd, strictGlewlwyd } from './servers/glewlwyd.ts'
import { hydra } from './servers/hydra.ts'
import { keycloak } from './servers/keycloak.ts'
import { oidcProvider } from './servers/oidcProvider.ts'
import { spring } from './servers/spring.ts'
import { zitadel } from './servers/zitadel.ts'

export const SERVERS: readonly InteropServer[] = [
  oidcProvider,
  betterAuth,
  glewlwyd,
  strictGlewlwyd,
  django,
  keycloak,
  hydra,
  spring,
  zitadel,
]
