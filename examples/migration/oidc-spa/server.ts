import { openIdConnect } from 'latchkey/oidc'

export const server = openIdConnect({ issuer: 'https://login.example.com' })
