// Builds the page with all editors as an app would, and opens it in Chromium, each time as for the first time.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { chromium, type Page } from 'playwright'
import { build } from 'vite'
import { chromiumLaunchOptions } from '../../scripts/findChromium.ts'
import { serveFolder } from '../../scripts/serveFolder.ts'
import { inCache } from '../bundle.ts'

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
    }
  }
}

export type EditorPages = Awaited<ReturnType<typeof openEditorPages>>

export async function openEditorPages() {
  const built = inCache('editor')
  await build({
    root: import.meta.dirname,
    configFile: false,
    logLevel: 'error',
    build: {
      outDir: built,
      emptyOutDir: true,
      reportCompressedSize: false,
      rolldownOptions: { checks: { moduleLevelDirective: false } },
    },
    worker: { format: 'es' },
  })
  const site = await serveFolder(import.meta.dirname, built, {
    // Without these a page may not ask how much memory it uses.
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
  })
  // The whole browser: the one without windows does not know how much memory a page uses.
  const options = chromiumLaunchOptions({ hasBackForwardCache: true })
  const browser = await chromium.launch({
    ...options,
    // The page's answer about its memory comes at once instead of with the next collection.
    args: [...options.args, '--enable-blink-features=ForceEagerMeasureMemory'],
  })
  return {
    /** A fresh page in a browser context of its own, with this editor where one is named. */
    async open(editor?: string): Promise<Page> {
      const context = await browser.newContext({ viewport: { width: 1000, height: 700 } })
      const page = await context.newPage()
      await page.goto(`${site.origin}/`)
      await page.waitForFunction(() => window.isHarnessReady)
      if (editor === undefined) return page
      await page.evaluate((which) => window.mount(which), editor)
      await page.evaluate(() => window.contestant.ready)
      // What comes after being ready is not a part of any step.
      await page.waitForTimeout(500)
      return page
    },
    /** How large these files of the build are together, each compressed. */
    gzipSize: (paths: readonly string[]) =>
      paths.reduce((sum, path) => sum + gzipSync(readFileSync(join(built, path)), { level: 9 }).length, 0),
    async close() {
      await browser.close()
      await site.close()
    },
  }
}
