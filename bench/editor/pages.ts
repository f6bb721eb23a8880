// Builds the page with all editors as an app would, and opens it in Chromium, each time with an empty cache.
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
    checkAlone(text: string): Promise<number>
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
    // A page may only measure its memory with these headers.
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
  })
  // The full browser: the headless shell cannot measure a page's memory.
  const options = chromiumLaunchOptions({ hasBackForwardCache: true })
  const browser = await chromium.launch({
    ...options,
    // Memory is measured at once instead of at the next garbage collection.
    args: [...options.args, '--enable-blink-features=ForceEagerMeasureMemory'],
  })
  return {
    /** A fresh page in its own browser context, with the named editor, if any. */
    async open(editor?: string): Promise<Page> {
      const context = await browser.newContext({ viewport: { width: 1000, height: 700 } })
      const page = await context.newPage()
      await page.goto(`${site.origin}/`)
      await page.waitForFunction(() => window.isHarnessReady)
      if (editor === undefined) return page
      await page.evaluate((which) => window.mount(which), editor)
      await page.evaluate(() => window.contestant.ready)
      // Work after the editor is ready belongs to no step.
      await page.waitForTimeout(500)
      return page
    },
    /** The size of these files of the build, each compressed separately. */
    gzipSize: (paths: readonly string[]) =>
      paths.reduce((sum, path) => sum + gzipSync(readFileSync(join(built, path)), { level: 9 }).length, 0),
    async close() {
      await browser.close()
      await site.close()
    },
  }
}
