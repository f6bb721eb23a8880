import { entra } from 'latchkey/oidc'

export const server = entra({ tenant: '00000000-0000-0000-0000-000000000000' })
