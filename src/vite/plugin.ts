// The hooks of the Vite plugin. The scripts' texts are parameters, so that the repository can use it from its sources.
import type { AuthError } from '../base/errors.ts'
import {
  type Configured,
  resolveConfig,
  scriptElement,
  scriptsFor,
  withScripts,
} from '../protocol/earlyScripts.ts'
import { allowHashes, hashOf } from '../setup/policy.ts'
import { addressFaults, headerFaults, pageFaults, type SetUp, setUpFaults } from './mistakes.ts'
import { type BundleFile, fileAddress, preloads, withLinks } from './preload.ts'

/** Options of the plugin. */
export interface LatchkeyPluginOptions {
  /** The nonce, or your server's placeholder for it, for pages without hashes. Default: Vite's `html.cspNonce`. */
  nonce?: string | undefined
}

/** A plugin for Vite 6 or newer. */
export interface LatchkeyPlugin {
  /** Name of the plugin. */
  name: string
  /** Reads `base`, the variables and the headers. */
  configResolved(config: ViteConfig): void
  /** Warns of setup mistakes. */
  configureServer(server: ViteServer): void
  /** Adds scripts and links to a page. */
  transformIndexHtml: {
    /** Runs after all other plugins, when the built files are known. */
    order: 'post'
    /** Returns the page with scripts and links. */
    handler(html: string, context: PageContext): string
  }
}

/** The used part of Vite's resolved config. */
export interface ViteConfig {
  /** Public path of the app. */
  readonly base: string
  /** `serve` in development. */
  readonly command: string
  /** The variables of the app's `import.meta.env`. */
  readonly env: Readonly<Record<string, unknown>>
  /** Receives warnings. */
  readonly logger: {
    /** Logs a warning. */
    warn(message: string): void
  }
  /** Settings of the page. */
  readonly html?: { readonly cspNonce?: string | undefined } | undefined
  /** Settings of the development server. */
  readonly server?: { readonly headers?: Readonly<Record<string, unknown>> | undefined } | undefined
  /** Settings of the preview server. */
  readonly preview?: { readonly headers?: Readonly<Record<string, unknown>> | undefined } | undefined
}

/** The used part of Vite's development server. */
export interface ViteServer {
  /** Its URLs, once it listens. */
  readonly resolvedUrls: { readonly local: readonly string[]; readonly network: readonly string[] } | null
}

/** Vite's context of a page. */
export interface PageContext {
  /** The page's path below the root. */
  readonly path: string
  /** The built files, in a build. */
  readonly bundle?: Readonly<Record<string, BundleFile>> | undefined
}

/** Reads the text of a script. */
export type ReadScript = (name: 'inline' | 'oidc') => string

export function createPlugin(
  config: Configured,
  { nonce }: LatchkeyPluginOptions,
  read: ReadScript,
): LatchkeyPlugin {
  let setUp: SetUp | undefined
  let elements = ''
  let warnOf: ViteConfig['logger']['warn'] = () => {}
  let server: ViteServer | undefined
  const said = new Set<string>()
  const warn = (faults: readonly string[]) => {
    for (const fault of faults) {
      if (said.has(fault)) continue
      said.add(fault)
      warnOf(`[latchkey] ${fault}`)
    }
  }

  return {
    name: 'latchkey',
    configResolved({ base, command, env, html, logger, ...serving }) {
      warnOf = (message) => logger.warn(message)
      const isDevelopment = command === 'serve'
      try {
        const texts = Object.entries(env).map(([name, value]) => [name, String(value)])
        const settings = resolveConfig(config, Object.fromEntries(texts) as Record<string, string>)
        const scripts = scriptsFor(settings).map((script) => ({ ...script, text: read(script.name) }))
        elements = scripts.map(({ text, attributes }) => scriptElement(text, attributes, nonce)).join('')
        setUp = {
          settings,
          base,
          headers: lowerCased((isDevelopment ? serving.server : serving.preview)?.headers ?? {}),
          hashes: scripts.map(({ text }) => hashOf(text)),
          hasNonce: (nonce ?? html?.cspNonce) !== undefined,
        }
      } catch (error) {
        // A build that cannot sign users in must fail; in development the page reports it too.
        if (!isDevelopment || !isAuthError(error)) throw error
        warn([[error.message, error.remedy].join('. ')])
      }
      if (setUp && command === 'build') warn(headerFaults(setUp))
    },
    configureServer(started) {
      server = started
      if (setUp) warn(setUpFaults(setUp))
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { path, bundle }) {
        if (!setUp) return html
        const { settings, base, hashes, hasNonce } = setUp
        warn(pageFaults(html, setUp))
        // The server listens before it serves a page, so its URLs are known.
        const { local = [], network = [] } = server?.resolvedUrls ?? {}
        warn(addressFaults(settings, [...local, ...network]))
        const page = allowHashes(withScripts(html, elements), hashes, hasNonce)
        if (!bundle) return page
        const addressOf = (file: string) => fileAddress(base, path, file)
        return withLinks(page, preloads(html, Object.values(bundle), addressOf))
      },
    },
  }
}

const lowerCased = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]))

/** By name: a profile file of `latchkey/oidc` contains another copy of the class. */
const isAuthError = (error: unknown): error is AuthError =>
  error instanceof Error && error.name === 'AuthError'
