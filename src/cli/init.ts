// latchkey init: writes the files of the quick start into a Vite app, and asks before it replaces one.
import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { folderOf } from '../setup/packages.ts'
import { keycloakOf, quoted } from './keycloakOf.ts'

/** The files of the quick start by their paths; `oidcAuth` is `src/auth.ts` for an OpenID Connect provider. */
export interface QuickStart {
  readonly files: Readonly<Record<string, string>>
  readonly oidcAuth: string
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

const hasScript = (root: string, name: string): boolean =>
  new RegExp(`"${name}"\\s*:`).test(readFileSync(join(root, 'package.json'), 'utf8'))

/** Whether it could begin. */
export async function init(options: InitOptions, { files, oidcAuth }: QuickStart): Promise<boolean> {
  const { root, authHost, issuer, clientId, ask, tell } = options
  if (!existsSync(join(root, 'package.json'))) {
    tell(`${root} has no package.json. Run npm create vite@latest first, or name the folder of your app.`)
    return false
  }
  let isMainKept = false
  const keycloak = keycloakOf(issuer ?? '')
  const providerAuth =
    keycloak === undefined
      ? oidcAuth
      : oidcAuth.replace(/openIdConnect\(.*\)/, () => keycloak).replace('openIdConnect', 'keycloak')
  const wanted = { ...files, ...(issuer !== undefined && { 'src/auth.ts': providerAuth }) }
  for (const [path, text] of Object.entries(wanted)) {
    const target = join(root, path)
    const written =
      path === 'src/auth.ts'
        ? text
            .replace("'http://localhost:4700'", () => quoted(issuer ?? authHost ?? 'http://localhost:4700'))
            .replace("clientId: 'admin'", () => `clientId: ${quoted(clientId ?? 'admin')}`)
        : text
    const there = lstatSync(target, { throwIfNoEntry: false })
    if (there?.isFile() === true && readFileSync(target, 'utf8') === written) tell(`as it is ${path}`)
    // A link or a folder in its place is never followed.
    else if (there && (!there.isFile() || !(await ask(`Replace ${path}?`)))) {
      tell(`kept     ${path}`)
      if (path === MAIN) isMainKept = true
    } else {
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(target, written, { flag: there ? 'w' : 'wx' })
      tell(`${there ? 'replaced' : 'written '} ${path}`)
    }
  }
  const missing = PACKAGES.filter((name) => !folderOf(name, root)).join(' ')
  const lines = [
    missing && `npm install ${missing}`,
    hasScript(root, 'dev') ? 'npm run dev' : 'npx vite',
  ].filter(Boolean)
  if (isMainKept) tell(`\nPut this around your app in ${MAIN}:\n\n${files[MAIN] ?? ''}`)
  tell(`\nNext:\n${lines.map((line) => `  ${line}`).join('\n')}`)
  if (authHost === undefined && issuer === undefined)
    tell('src/auth.ts names the demo’s server at http://localhost:4700. Yours: --auth-host or --issuer.')
  return true
}
