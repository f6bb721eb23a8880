import { auth0 } from 'latchkey/oidc'

export const server = auth0({ domain: 'example.eu.auth0.com', audience: 'https://api.example.com' })
