// Serves the demo's app from its sources, with changes applied while it runs: what `npm run demo` shows.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createServer, type Plugin } from 'vite'
import { createPlugin } from '../../src/vite/plugin.ts'
import { APP_CONFIG_MODULE, type AppConfig, appConfigSource, configAt } from './appConfig.ts'
import { earlyConfig, readEarlyScripts } from './earlyHead.ts'
import { APP_FOLDER, viteConfig } from './viteConfig.ts'

export interface AppServer {
  readonly origin: string
  close(): Promise<void>
}

/** The port is the wanted one or the next that is free. */
export async function startDevServer(config: AppConfig, { port }: { port: number }): Promise<AppServer> {
  const base = viteConfig()
  const early = createPlugin(() => earlyConfig(config), {}, await readEarlyScripts())
  const vite = await createServer({
    ...base,
    plugins: [base.plugins, early, provideAppConfig(config), servePage(config)],
    server: {
      ...base.server,
      host: '127.0.0.1',
      port,
      warmup: { clientFiles: ['main.tsx', 'screens/*.tsx'] },
    },
  })
  await vite.listen()
  const address = vite.httpServer?.address()
  if (address === null || typeof address !== 'object') throw new Error('the app server has no address')
  return { origin: `http://localhost:${address.port}`, close: async () => await vite.close() }
}

function provideAppConfig(config: AppConfig): Plugin {
  const id = `\0${APP_CONFIG_MODULE}`
  return {
    name: 'demo-app-config',
    resolveId: (source) => (source === APP_CONFIG_MODULE ? id : undefined),
    load: (source) => (source === id ? appConfigSource(config) : undefined),
  }
}

/** Serves the page by the host that was asked for: each has a server of its own. */
function servePage(config: AppConfig): Plugin {
  return {
    name: 'demo-page',
    configureServer(vite) {
      vite.middlewares.use((request, response, next) => {
        const isPage = request.method === 'GET' && request.headers.accept?.includes('text/html') === true
        if (!isPage) return next()
        const send = async () => {
          try {
            const page = await readFile(join(APP_FOLDER, 'index.html'), 'utf8')
            const html = await vite.transformIndexHtml(request.url ?? '/', page)
            response.setHeader('content-type', 'text/html; charset=utf-8')
            response.setHeader('cache-control', 'no-cache')
            const { authHost = '' } = configAt(config, (request.headers.host ?? '').replace(/:\d+$/, '')).auth
            response.end(html.replaceAll(config.auth.authHost || '\0', authHost))
          } catch (error) {
            next(error)
          }
        }
        void send()
      })
    },
  }
}
