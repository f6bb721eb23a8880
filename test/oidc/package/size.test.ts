// What an app pays for its server: with authHost no line of the OpenID Connect profile, with openIdConnect() the profile and nothing twice.

// @module-tag thorough

import { gzipSync } from 'node:zlib'
import { build as esbuild } from 'esbuild'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { expect, it } from 'vitest'

const file = (path: string) => fileURLToPath(new URL(`../../../src/${path}`, import.meta.url))

/** The file that binds tokens to a key, loaded only where an app wants that. */
const LARGEST_DPOP_BYTES = 2_280

/** The files that Rolldown makes of an app. */
async function outputOf(code: string, external: (string | RegExp)[] = []) {
  const build = await rolldown({
    input: 'app',
    external,
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
  return (await build.generate({ format: 'esm', minify: true })).output
}

/** The first file of an app that signs in, with what it is made of; what every app has anyway is left out. */
async function bundle(server: string) {
  const code = `
    import { createAuth, AuthProvider, useAuth, useLogin, useLogout } from '${file('index.ts')}'
    import { openIdConnect, keycloak } from '${file('oidc/index.ts')}'
    export const auth = createAuth({ ${server}, clientId: 'admin', scopes: ['openid'] })
    export { AuthProvider, useAuth, useLogin, useLogout }`
  const external = [/^react/, /^@tanstack/, 'pubnub', /^@monaco/, 'monaco-editor']
  const output = await outputOf(code, external)
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
  expect(firm.bytes).toBeLessThan(oidc.bytes)
})

/** What only the preset of a provider says. */
const ONLY_OF = {
  keycloak: '/realms/',
  entra: 'login.microsoftonline.com',
  auth0: '/v2/logout',
  okta: '/oauth2/',
  cognito: 'cognito-idp',
  authentik: '/application/o/',
} as const

/** The text of an app that uses these presets alone, bundled without the session. */
async function textsOf(presets: readonly string[]): Promise<Record<string, string>> {
  const code = `
    import { openIdConnect, ${presets.join(', ')} } from '${file('oidc/index.ts')}'
    globalThis.used = [openIdConnect, ${presets.join(', ')}]`
  const { outputFiles } = await esbuild({
    stdin: { contents: code, loader: 'ts', resolveDir: file('') },
    bundle: true,
    minify: true,
    splitting: true,
    outdir: 'out',
    format: 'esm',
    write: false,
    tsconfigRaw: {},
  })
  const output = await outputOf(code)
  return {
    esbuild: outputFiles.map(({ text }) => text).join(''),
    rolldown: output.map((one) => (one.type === 'chunk' ? one.code : '')).join(''),
  }
}

const saidOf = (text: string) =>
  Object.entries(ONLY_OF).flatMap(([preset, words]) => (text.includes(words) ? [preset] : []))

it('an app that uses one preset has nothing of the others', async () => {
  const { esbuild: one, rolldown: same } = await textsOf(['keycloak'])
  expect([saidOf(one!), saidOf(same!)]).toEqual([['keycloak'], ['keycloak']])
  // Each text is one that its preset has, so that its absence says something.
  const all = await textsOf(Object.keys(ONLY_OF))
  expect([saidOf(all['esbuild']!), saidOf(all['rolldown']!)]).toEqual([
    Object.keys(ONLY_OF),
    Object.keys(ONLY_OF),
  ])
})
