// Runs the OpenID Connect provider by itself: npm exec -- node demo/servers/oidc/start.ts [port], 4701 without one.
import { startOidcServer } from './startOidcServer.ts'

const { issuer, clientId } = await startOidcServer({ port: Number(process.argv[2] ?? 4701) })
console.log(`OpenID Connect provider: ${issuer} (client ${clientId}, any name, any password)`)
