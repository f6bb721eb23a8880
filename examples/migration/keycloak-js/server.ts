import { keycloak } from 'latchkey/oidc'

export const server = keycloak({ url: 'https://login.example.com', realm: 'staff' })
