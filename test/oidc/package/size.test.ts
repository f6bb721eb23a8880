// What an app pays for its server: with authHost no line of the OpenID Connect profile, with openIdConnect() the profile and nothing twice.
import { gzipSync } from 'node:zlib'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { expect, it } from 'vitest'

const file = (path: string) => fileURLToPath(new URL(`../../../src/${path}`, import.meta.url))

/** Kilobytes here are thousands of bytes. The profile's texts, which say what to change where, are a sixth of it. */
const LARGEST_DIFFERENCE_BYTES = 9_130
/** The file that binds tokens to a key, loaded only where an app wants that. */
const LARGEST_DPOP_BYTES = 2_280

/** The first file of an app that signs in, with what it is made of; what every app has anyway is left out. */
async function bundle(server: string) {
  const code = `
    import { createAuth, AuthProvider, useAuth, useLogin, useLogout } from '${file('index.ts')}'
    import { openIdConnect, keycloak } from '${file('oidc/index.ts')}'
    export const auth = createAuth({ ${server}, clientId: 'admin', scopes: ['openid'] })
    export { AuthProvider, useAuth, useLogin, useLogout }`
  const build = await rolldown({
    input: 'app',
    external: [/^react/, /^@tanstack/, 'pubnub', /^@monaco/, 'monaco-editor'],
    platform: 'browser',
    logLevel: 'silent',
    plugins: [
      {
        name: 'app',
        resolveId: (id) => (id === 'app' ? file('app.ts') : undefined),
        load: (id) => (id === file('app.ts') ? { code, moduleType: 'ts' } : undefined),
      },
    ],
  })
  const { output } = await build.generate({ format: 'esm', minify: true })
  const [entry] = output
  const dpop = output.find(({ fileName }) => fileName.startsWith('dpop'))
  return {
    bytes: gzipSync(entry.code, { level: 9 }).length,
    dpopBytes: dpop?.type === 'chunk' ? gzipSync(dpop.code, { level: 9 }).length : undefined,
    modules: Object.entries(entry.modules).flatMap(([id, { renderedLength }]) =>
      renderedLength ? [id] : [],
    ),
  }
}

const FIRM = "authHost: 'https://auth.example.com'"
const OIDC = "server: openIdConnect(keycloak({ url: 'https://login.example.com', realm: 'staff' }))"

it('an app with authHost has no line of the OpenID Connect profile, and one with it pays for the profile alone', async () => {
  const [firm, oidc] = await Promise.all([bundle(FIRM), bundle(OIDC)])
  const of = ({ modules }: typeof firm) =>
    modules.flatMap((id) => (/\/protocol\/servers\/(.+)\.ts$/.exec(id) ?? []).slice(1)).toSorted()
  expect(of(firm)).toEqual(['firm'])
  expect(of(oidc)).toContain('openIdConnect')
  expect(of(oidc)).not.toContain('dpop')
  expect(oidc.dpopBytes).toBeLessThanOrEqual(LARGEST_DPOP_BYTES)
  expect(oidc.bytes - firm.bytes).toBeLessThanOrEqual(LARGEST_DIFFERENCE_BYTES)
})
