// The Vite plugin in real builds and a real development server: what stands in the page, and what is said of a wrong set-up.

// @module-tag thorough

import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { build, createLogger, createServer, type InlineConfig, type Plugin } from 'vite'
import { afterAll, describe, expect, it } from 'vitest'
import { buildEarlyScript } from '../../../scripts/earlyScript.ts'
import type { AuthConfig } from '../../../src/index.ts'
import { keycloak, openIdConnect } from '../../../src/oidc/index.ts'
import { createPlugin, type LatchkeyPluginOptions } from '../../../src/vite/plugin.ts'
import type { Configured } from '../../../src/protocol/earlyScripts.ts'

const texts = {
  inline: (await buildEarlyScript()).text,
  oidc: (await buildEarlyScript('oidc')).text,
}
const folder = mkdtempSync(join(tmpdir(), 'latchkey-vite-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let count = 0

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Admin</title>
    <script>window.analytics = 1</script>
    <script type="module" src="/main.ts"></script>
  </head>
  <body></body>
</html>`
/** Where only the page is looked at: bundling the library anew for each test takes most of the time. */
const PLAIN = `document.title = 'Admin'\n`
const EAGER = `import { createAuth } from 'latchkey'\nObject.assign(window, { createAuth })\n`
const LAZY = `void import('./app.ts')\n`

const FIRM = {
  authHost: 'https://auth.example.com',
  clientId: 'admin',
  scopes: ['openid', 'profile'],
} satisfies AuthConfig
const OIDC = {
  server: openIdConnect({ issuer: 'https://login.example.com/realms/staff' }),
  clientId: 'admin',
  scopes: ['openid'],
} satisfies AuthConfig

interface Made {
  config?: Configured
  options?: LatchkeyPluginOptions
  files?: Record<string, string>
  vite?: InlineConfig
}

function appIn({ config = FIRM, options = {}, files = {}, vite = {} }: Made) {
  count += 1
  const root = join(folder, `app${count}`)
  for (const [path, text] of Object.entries({ 'index.html': PAGE, 'main.ts': PLAIN, ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const said: string[] = []
  const customLogger = createLogger('silent')
  customLogger.warn = (message) => void (message.startsWith('[latchkey]') && said.push(message))
  const plugin: Plugin = createPlugin(config, options, (name) => texts[name])
  const settings: InlineConfig = {
    configFile: false,
    root,
    logLevel: 'silent',
    customLogger,
    resolve: {
      alias: [
        { find: /^latchkey$/, replacement: resolve('src/index.ts') },
        { find: /^latchkey\/([\w-]+)$/, replacement: `${resolve('src')}/$1/index.ts` },
      ],
    },
    ...vite,
    plugins: [plugin, vite.plugins],
  }
  return { root, said, settings }
}

async function built(made: Made = {}) {
  const { root, said, settings } = appIn(made)
  await build(settings)
  const read = (path: string) => readFileSync(join(root, 'dist', path), 'utf8')
  return { html: read('index.html'), said, read, files: readdirSync(join(root, 'dist'), { recursive: true }) }
}

/** The page as the development server sends it. */
async function served(made: Made = {}, port = 0) {
  const { said, settings } = appIn(made)
  const server = await createServer({ ...settings, server: { ...settings.server, port } })
  try {
    await server.listen()
    const [address = ''] = server.resolvedUrls?.local ?? []
    const html = await (await fetch(address, { headers: { accept: 'text/html' } })).text()
    return { html, said }
  } finally {
    await server.close()
  }
}

const scriptsOf = (html: string) =>
  [...html.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)].map(([, attributes = '', text = '']) => ({
    attributes: attributes.trim(),
    text,
  }))
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

describe('the page of a build', () => {
  it('has the script unchanged, with the values of createAuth, after the encoding and before all that runs', async () => {
    const { html, said } = await built({ files: { 'main.ts': EAGER } })
    const [first, second] = scriptsOf(html)
    expect(first).toEqual({
      attributes:
        'data-auth-host="https://auth.example.com" data-client-id="admin" data-scopes="openid profile"',
      text: texts.inline,
    })
    expect(second?.text).toContain('analytics')
    expect(html.indexOf('charset')).toBeLessThan(html.indexOf('<script'))
    expect(html.indexOf('charset')).toBeLessThan(1024)
    expect(said).toEqual([])
  })

  it('has what differs from the defaults, so that no early request is made for another address', async () => {
    const redirectUri = 'https://admin.example.com/?a=1&b="2"'
    const { html } = await built({ config: { ...FIRM, redirectUri, rememberMe: true } })
    expect(scriptsOf(html)[0]?.attributes).toContain(
      'data-redirect-uri="https://admin.example.com/?a=1&amp;b=&quot;2&quot;" data-remember-me="true"',
    )
  })

  it.each([
    ['by its issuer', OIDC.server],
    ['by a preset', keycloak({ url: 'https://login.example.com', realm: 'staff' })],
  ])('has two scripts for an OpenID Connect provider that is given %s', async (_how, server) => {
    const [first, second] = scriptsOf((await built({ config: { ...OIDC, server } })).html)
    expect(first).toEqual({
      attributes:
        'data-issuer="https://login.example.com/realms/staff" data-client-id="admin" data-discovery-url="https://login.example.com/realms/staff/.well-known/openid-configuration"',
      text: texts.oidc,
    })
    expect(second).toEqual({ attributes: '', text: texts.inline })
  })

  it('only cleans the address where the metadata is given by hand', async () => {
    const issuer = 'https://login.example.com'
    const metadata = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
    }
    const config = { ...OIDC, server: openIdConnect({ issuer, metadata }) }
    const [first, second] = scriptsOf((await built({ config })).html)
    expect(first).toEqual({ attributes: '', text: texts.inline })
    expect(second?.text).not.toBe(texts.oidc)
  })

  it('takes the server from an environment variable, as the app does', async () => {
    const { html } = await built({
      config: (env) => ({ ...FIRM, authHost: env['VITE_AUTH_HOST'] ?? '', clientId: env['MODE'] ?? '' }),
      files: { '.env.staging': 'VITE_AUTH_HOST=https://auth.staging.example.com' },
      vite: { mode: 'staging' },
    })
    expect(scriptsOf(html)[0]?.attributes).toMatch(
      /^data-auth-host="https:\/\/auth\.staging\.example\.com" data-client-id="staging"/,
    )
  })

  it.each([
    ["Vite's own nonce", { vite: { html: { cspNonce: 'NONCE' } } }],
    ['the option', { options: { nonce: 'NONCE' } }],
  ])('has the nonce: %s', async (_, made) => {
    const [first] = scriptsOf((await built(made)).html)
    expect(first?.attributes.match(/nonce="NONCE"/g)).toEqual(['nonce="NONCE"'])
    expect(first?.text).toBe(texts.inline)
  })

  it.each([
    ["script-src 'self'; object-src 'none'", `script-src 'self' ${hashOf(texts.inline)}`],
    [
      "default-src 'self' https://auth.example.com",
      `script-src 'self' https://auth.example.com ${hashOf(texts.inline)}`,
    ],
    ["script-src 'none'; style-src 'self'", `script-src ${hashOf(texts.inline)}`],
  ])('is allowed by the policy that stands in the page: %s', async (policy, expected) => {
    const frames = "; frame-src 'self' https://auth.example.com; connect-src 'self' https://auth.example.com"
    const meta = `<meta charset="utf-8" /><meta http-equiv="Content-Security-Policy" content="${policy}${frames}" />`
    const { html, said } = await built({
      files: { 'index.html': PAGE.replace('<meta charset="utf-8" />', meta) },
    })
    const [, content = ''] = /content="([^"]*)"/.exec(html) ?? []
    expect(content.split(/;\s*/)).toContain(expected)
    expect(content.split(/;\s*/).filter((directive) => directive.startsWith('script-src'))).toHaveLength(1)
    expect(html.indexOf('Content-Security-Policy')).toBeLessThan(html.indexOf('<script'))
    expect(said).toEqual([])
  })

  it('does not switch off a policy by a hash beside unsafe-inline', async () => {
    const meta = `<meta http-equiv="Content-Security-Policy" content="script-src 'self' 'unsafe-inline'" />`
    const { html } = await built({ files: { 'index.html': PAGE.replace('<meta', `${meta}<meta`) } })
    expect(html).toContain(`content="script-src 'self' 'unsafe-inline'"`)
  })

  it.each([
    ['server', headers("script-src 'self'")],
    ['preview', { vite: { preview: { headers: { 'content-security-policy': "script-src 'self'" } } } }],
  ])('tells the hash that a policy in the headers of Vite’s %s lacks, once', async (_whose, made: Made) => {
    const needed = `[latchkey] script-src needs ${hashOf(texts.inline)} for the early script.`
    expect((await built(made)).said).toEqual([needed])
  })

  it('tells no hash that the policy has, and none beside a nonce', async () => {
    const policy = `script-src 'self' ${hashOf(texts.inline)}`
    expect(
      (await built({ vite: { preview: { headers: { 'content-security-policy': policy } } } })).said,
    ).toEqual([])
    const byNonce = headers("script-src 'nonce-NONCE'")
    expect((await built({ ...byNonce, options: { nonce: 'NONCE' } })).said).toEqual([])
  })

  it('is no build with a config that createAuth would refuse', async () => {
    await expect(built({ config: { ...FIRM, authHost: 'https://auth.example.com/login' } })).rejects.toThrow(
      'Invalid config parameter : authHost',
    )
  })
})

describe('files that a built page fetches at once', () => {
  const preloadsOf = (html: string) =>
    [...html.matchAll(/<link rel="modulepreload"[^>]*>/g)].map(([link]) => link)
  const files = { 'main.ts': LAZY, 'app.ts': EAGER }

  it.each([
    ['/', /href="\/assets\/[\w-]+\.js"/],
    ['/admin/', /href="\/admin\/assets\/[\w-]+\.js"/],
    ['./', /href="\.\/assets\/[\w-]+\.js"/],
    ['https://cdn.example.com/', /href="https:\/\/cdn\.example\.com\/assets\/[\w-]+\.js"/],
  ])('are the core and the file of auth.fetch, below base %s', async (base, href) => {
    const { html, read } = await built({ files, vite: { base } })
    const links = preloadsOf(html)
    for (const link of links) expect(link).toMatch(href)
    const textOf = (link = '') => read(/assets\/[\w-]+\.js/.exec(link)?.[0] ?? '')
    const low = links.filter((link) => link.includes('fetchpriority="low"'))
    expect(low.length).toBeGreaterThan(0)
    expect(links.some((link) => textOf(link).includes('Not init yet'))).toBe(true)
    expect(new Set(links).size).toBe(links.length)
  })

  it('are not named twice where the app imports the core at once', async () => {
    const { html } = await built({ files: { 'main.ts': EAGER } })
    const links = preloadsOf(html)
    const addresses = links.map((link) => /href="([^"]+)"/.exec(link)?.[1])
    expect(addresses.length).toBeGreaterThan(0)
    expect(new Set(addresses).size).toBe(addresses.length)
    expect(html.match(/<script type="module"/g)).toHaveLength(1)
  })

  it('are found from a page in a folder', async () => {
    const page = PAGE.replace('/main.ts', '../main.ts')
    const { read } = await built({
      files: { ...files, 'staff/index.html': page },
      vite: {
        base: './',
        build: {
          rolldownOptions: {
            input: [
              join(folder, `app${count + 1}`, 'staff/index.html'),
              join(folder, `app${count + 1}`, 'index.html'),
            ],
          },
        },
      },
    })
    expect(preloadsOf(read('staff/index.html'))[0]).toContain('href="../assets/')
  })
})

describe('while the app is developed', () => {
  it('the page has the script, and a right set-up is no matter for words', async () => {
    const { html, said } = await served({
      files: { 'main.ts': EAGER },
      vite: {
        server: {
          headers: {
            'Content-Security-Policy': `default-src 'self'; script-src 'self' 'unsafe-inline'; connect-src 'self' https://*.example.com; frame-src https://auth.example.com`,
          },
        },
      },
    })
    expect(scriptsOf(html).map(({ text }) => text)).toContain(texts.inline)
    expect(said).toEqual([])
  })

  it.each<[string, Made, RegExp]>([
    [
      'a path in authHost',
      { config: { ...FIRM, authHost: 'https://auth.example.com/x' } },
      /authHost must be an https origin.*'https:\/\/auth\.example\.com'/,
    ],
    [
      'authHost by http',
      { config: { ...FIRM, authHost: 'http://auth.example.com' } },
      /authHost must be an https origin/,
    ],
    ['no authHost', { config: () => ({ ...FIRM, authHost: '' }) }, /Pass authHost to createAuth/],
    ['scopes as one text', { config: { ...FIRM, scopes: 'openid' as never } }, /Scopes must be an array/],
    ['a misspelt option', { config: { ...FIRM, autoLogn: true } as never }, /Did you mean autoLogin\?/],
    ['no openid in scopes', { config: { ...OIDC, scopes: ['profile'] } }, /a list with 'openid' in it/],
    [
      'a variable that is not set',
      { config: (env) => ({ ...FIRM, authHost: env['VITE_NONE']! }) },
      /Missing config parameter : authHost/,
    ],
    [
      'an app below a path',
      { vite: { base: '/admin/' } },
      /served below \/admin\/, but redirectUri is the page's origin/,
    ],
    [
      'a redirect URI outside the base',
      { config: { ...FIRM, redirectUri: 'https://admin.example.com/' }, vite: { base: '/admin/' } },
      /is not below base \/admin\//,
    ],
    [
      'a redirect URI at another port',
      { config: { ...FIRM, redirectUri: 'http://localhost:1/' } },
      /redirectUri is at localhost:1, and the app at .*no sign-in comes back to this page/,
    ],
    ['frame-src', headers("frame-src 'self'"), /frame-src lacks https:\/\/auth\.example\.com\./],
    [
      'connect-src',
      headers("connect-src 'self' https://auth.example.com:8443"),
      /connect-src lacks https:\/\/auth\.example\.com\./,
    ],
    [
      'default-src in their place',
      headers("default-src 'self'"),
      /default-src lacks https:\/\/auth\.example\.com\. Add it to connect-src/,
    ],
    ['script-src', headers("script-src 'self'"), /script-src needs 'sha256-[^']+' for the early script\./],
    [
      "frame-ancestors 'none' with OpenID Connect",
      { ...headers("frame-ancestors 'none'"), config: OIDC },
      /frame-ancestors is 'none'/,
    ],
    [
      'frame-src without self with OpenID Connect',
      { ...headers('frame-src https://login.example.com'), config: OIDC },
      /frame-src lacks 'self'/,
    ],
    [
      'X-Frame-Options with OpenID Connect',
      { config: OIDC, vite: { server: { headers: { 'X-Frame-Options': 'deny' } } } },
      /X-Frame-Options is DENY/,
    ],
    [
      'Cross-Origin-Opener-Policy',
      { vite: { server: { headers: { 'Cross-Origin-Opener-Policy': 'same-origin' } } } },
      /a window cannot be watched/,
    ],
    [
      'an early script pasted by hand',
      {
        files: {
          'index.html': PAGE.replace(
            '<script>',
            '<script data-auth-host="https://auth.example.com" data-client-id="admin">',
          ),
        },
      },
      /an early script of its own/,
    ],
    [
      'a policy in the page',
      {
        files: {
          'index.html': PAGE.replace(
            '<meta',
            `<meta http-equiv="Content-Security-Policy" content="connect-src 'self'"><meta`,
          ),
        },
      },
      /connect-src lacks/,
    ],
  ])('a warning names the mistake and its mending: %s', async (_, made, expected) => {
    const { said } = await served(made)
    expect(said.filter((line) => expected.test(line))).toHaveLength(1)
  })

  it('a page with a wrong config is served without the script: the app says it too', async () => {
    const { html } = await served({ config: { ...FIRM, authHost: 'nowhere' } })
    expect(scriptsOf(html).map(({ text }) => text)).not.toContain(texts.inline)
  })
})

function headers(policy: string): Made {
  return { vite: { server: { headers: { 'Content-Security-Policy': policy } } } }
}
