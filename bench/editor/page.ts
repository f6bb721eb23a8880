// Builds the page with all editors as an app would, and opens it in Chromium, each time as for the first time.
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { type Browser, chromium, type Page } from 'playwright'
import { build } from 'vite'
import { chromiumLaunchOptions } from '../../scripts/findChromium.ts'

declare global {
  interface Window {
    isHarnessReady?: boolean
    mount(name: string): Promise<{ duration: number; files: string[] }>
    makeText(length: number): string
    judgeAlone(text: string): Promise<number>
    painted(): Promise<void>
    longest: number
    clipboard: DataTransfer
    text: string
    contestant: {
      ready: Promise<void>
      text(): string
      length(): number
      set(text: string): void
      focus(): void
      target(): Element
      hasError(): boolean
      isRight?(): boolean
      validate?(): Promise<unknown>
      showOutline?(isShown: boolean): void
      isOutlined?(): boolean
      unmount(): void
    }
  }
}

export interface EditorPages {
  /** A fresh page in a browser context of its own; nothing is mounted yet. */
  open(): Promise<Page>
  /** The same in a browser that interprets everything: the code it would compile after a while is no part of a heap then. */
  openInterpreted(): Promise<Page>
  /** How large these files of the build are together, each compressed. */
  gzipSize(paths: readonly string[]): number
  close(): Promise<void>
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
}

export async function openEditorPages(): Promise<EditorPages> {
  const built = await mkdtemp(join(tmpdir(), 'latchkey-bench-editor-'))
  await build({
    configFile: fileURLToPath(new URL('vite.config.ts', import.meta.url)),
    logLevel: 'error',
    build: { outDir: built, emptyOutDir: true },
  })
  const server = createServer((request, response) => {
    const path = request.url === '/' ? '/index.html' : request.url!.split('?')[0]!
    try {
      const body = readFileSync(built + path)
      response.writeHead(200, {
        'content-type': TYPES[extname(path)] ?? 'application/octet-stream',
        // Without these a page may not ask how much memory it uses.
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-embedder-policy': 'require-corp',
      })
      response.end(body)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  // The whole browser: the one without windows does not know how much memory a page uses.
  const options = chromiumLaunchOptions({ hasBackForwardCache: true })
  const launch = async (...args: string[]) =>
    chromium.launch({
      ...options,
      // The page's answer about its memory comes at once instead of with the next collection.
      args: [...options.args, '--enable-blink-features=ForceEagerMeasureMemory', ...args],
    })
  const browser = await launch()
  let interpreting: Promise<Browser> | undefined
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const openIn = async (host: Browser) => {
    const context = await host.newContext({ viewport: { width: 1000, height: 700 } })
    const page = await context.newPage()
    await page.goto(origin)
    await page.waitForFunction(() => window.isHarnessReady)
    return page
  }

  return {
    open: async () => openIn(browser),
    async openInterpreted() {
      interpreting ??= launch('--js-flags=--no-turbofan --no-maglev --no-sparkplug')
      return openIn(await interpreting)
    },
    gzipSize: (paths) =>
      paths
        .map((path) => gzipSync(readFileSync(built + path), { level: 9 }).length)
        .reduce((a, b) => a + b, 0),
    async close() {
      await browser.close()
      await (await interpreting)?.close()
      server.close()
      await rm(built, { recursive: true, force: true })
    },
  }
}
