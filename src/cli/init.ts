// latchkey init: writes the files of the quick start into a Vite app, and asks before it replaces one.
import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { folderOf } from '../setup/packages.ts'

/** The files of the quick start by their paths; `oidcConfig` is `src/authConfig.ts` for an OpenID Connect provider. */
export interface QuickStart {
  readonly files: Readonly<Record<string, string>>
  readonly oidcConfig: string
}

export interface InitOptions {
  readonly root: string
  readonly authHost?: string | undefined
  readonly issuer?: string | undefined
  readonly clientId?: string | undefined
  /** Whether a file may be replaced. */
  ask(question: string): Promise<boolean>
  tell(line: string): void
}

const PACKAGES = ['latchkey', '@tanstack/react-query', 'react', 'react-dom']

const MAIN = 'src/main.tsx'
const AUTH_CONFIG = 'src/authConfig.ts'
const VITE_CONFIG = 'vite.config.ts'
const PLUGIN_LINE = /latchkey|authConfig/

/** A Vite config without the plugin. Comments, line ends and the order of imports do not count. */
const withoutPlugin = (config: string): string =>
  config
    .replace(', latchkey(authConfig)', '')
    .split(/\r?\n/)
    .filter((line) => line !== '' && !line.startsWith('//') && !PLUGIN_LINE.test(line))
    .toSorted()
    .join('\n')

/** As a literal between single quotes of a source. */
const quoted = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** The call of Keycloak's preset for such an issuer; `undefined` for another provider. */
function keycloakOf(issuer: string): string | undefined {
  const [, url, realm] = /^(https?:\/\/.+)\/realms\/([^/]+)\/?$/.exec(issuer) ?? []
  if (url === undefined || realm === undefined) return undefined
  try {
    return `keycloak({ url: ${quoted(url)}, realm: ${quoted(decodeURIComponent(realm))} })`
  } catch {
    return undefined
  }
}

/** Whether it could begin. */
export async function init(options: InitOptions, { files, oidcConfig }: QuickStart): Promise<boolean> {
  const { root, authHost, issuer, clientId, ask, tell } = options
  if (!existsSync(join(root, 'package.json'))) {
    tell(`${root} has no package.json. Run npm create vite@latest first, or name the folder of your app.`)
    return false
  }
  const kept = new Set<string>()
  const keycloak = keycloakOf(issuer ?? '')
  const forProvider = keycloak
    ? oidcConfig.replace(/openIdConnect\(.*\)/, () => keycloak).replace('openIdConnect', 'keycloak')
    : oidcConfig
  const authConfig = (issuer === undefined ? (files[AUTH_CONFIG] ?? '') : forProvider)
    .replace("'http://localhost:4700'", () => quoted(issuer ?? authHost ?? 'http://localhost:4700'))
    .replace("clientId: 'admin'", () => `clientId: ${quoted(clientId ?? 'admin')}`)
  for (const [path, written] of Object.entries({ ...files, [AUTH_CONFIG]: authConfig })) {
    const target = join(root, path)
    const there = lstatSync(target, { throwIfNoEntry: false })
    // A link or a folder in its place is never followed.
    const old = there?.isFile() === true ? readFileSync(target, 'utf8') : undefined
    // A Vite config of the app's own is never replaced.
    const isReplaceable =
      old !== undefined && (path !== VITE_CONFIG || withoutPlugin(old) === withoutPlugin(written))
    if (old === written) tell(`as it is ${path}`)
    else if (there ? !isReplaceable || !(await ask(`Replace ${path}?`)) : path === VITE_CONFIG) {
      if (there) tell(`kept     ${path}`)
      if (!old?.includes('latchkey/vite')) kept.add(path)
    } else {
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(target, written, { flag: there ? 'w' : 'wx' })
      tell(`${there ? 'replaced' : 'written '} ${path}`)
    }
  }
  const missing = PACKAGES.filter((name) => !folderOf(name, root)).join(' ')
  const lines = [
    missing && `npm install ${missing}`,
    /"dev"\s*:/.test(readFileSync(join(root, 'package.json'), 'utf8')) ? 'npm run dev' : 'npx vite',
  ].filter(Boolean)
  const pluginLines = files[VITE_CONFIG]?.split('\n').filter((line) => PLUGIN_LINE.test(line)) ?? []
  if (kept.has(VITE_CONFIG)) tell(`\nAdd the plugin to your Vite config:\n\n${pluginLines.join('\n')}`)
  if (kept.has('src/auth.ts'))
    tell(
      `\nsrc/auth.ts has options of its own. Move them to ${AUTH_CONFIG}: plugin and createAuth share them.`,
    )
  if (kept.has(MAIN)) tell(`\nPut this around your app in ${MAIN}:\n\n${files[MAIN] ?? ''}`)
  tell(`\nNext:\n${lines.map((line) => `  ${line}`).join('\n')}`)
  if (authHost === undefined && issuer === undefined)
    tell(`${AUTH_CONFIG} names the demo’s server at http://localhost:4700. Yours: --auth-host or --issuer.`)
  return true
}
