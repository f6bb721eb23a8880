// `npm run demo` as a newcomer meets it: it prints where to go, the app opens without a hitch, Ctrl-C leaves nothing behind.

// @module-tag thorough

import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { expect, it } from 'vitest'
import { chromiumLaunchOptions } from '../../../scripts/findChromium.ts'
import { expectHeading } from '../page.ts'
import { signIn } from '../user.ts'

async function startCommand(cacheFolder: string, ...words: string[]) {
  const command = spawn(process.execPath, ['demo/start.ts', ...words], {
    env: {
      ...process.env,
      NODE_ENV: '',
      PORT: '0',
      LATCHKEY_DEMO_CACHE: cacheFolder,
      LATCHKEY_DEMO_WATCH: 'no',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  const ended = new Promise<number | null>((resolve) => {
    command.on('exit', resolve)
  })
  const address = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      printed += chunk.toString()
      const found = /Open\s+(\S+)/.exec(printed)?.[1]
      if (found !== undefined && printed.includes('Ctrl-C')) resolve(found)
    }
    command.stdout.on('data', read)
    command.stderr.on('data', read)
    void ended.then((code) => reject(new Error(`the demo ended with ${code}: ${printed}`)))
  })
  return { address, printed: () => printed, interrupt: () => command.kill('SIGINT'), ended }
}

it('starts with a cold cache, signs in without a reload of its own, and ends with exit code 0', async () => {
  const cacheFolder = await mkdtemp(join(tmpdir(), 'latchkey-demo-'))
  const demo = await startCommand(cacheFolder)
  const browser = await chromium.launch(chromiumLaunchOptions())
  try {
    expect(demo.printed()).toContain('Anna de Vries')
    expect(demo.printed()).toContain('Or on an OpenID Connect provider: npm run demo -- --server oidc')
    const page = await browser.newPage()
    // Vite reads and bundles everything anew, in the newcomer's time.
    page.setDefaultTimeout(120_000)
    const loads: string[] = []
    page.on('request', (request) => {
      if (
        request.isNavigationRequest() &&
        request.frame() === page.mainFrame() &&
        request.url().startsWith(demo.address)
      )
        loads.push(request.url())
    })
    await page.goto(`${demo.address}/activity?x=1`)
    await signIn(page, 'anna')
    await expectHeading(page, 'Activity')
    await page.getByRole('button', { name: 'Query devtools', exact: true }).click()
    await page.getByText('TANSTACK').waitFor()
    expect(await page.evaluate(() => location.href)).toBe(`${demo.address}/activity?x=1`)
    expect(loads).toHaveLength(2)
  } finally {
    await browser.close()
    demo.interrupt()
  }
  expect(await demo.ended).toBe(0)
  await expect(fetch(demo.address)).rejects.toThrow('fetch failed')
  await rm(cacheFolder, { recursive: true, force: true })
})

it('starts on an OpenID Connect provider without a warning, and names the other server', async () => {
  const cacheFolder = await mkdtemp(join(tmpdir(), 'latchkey-demo-'))
  const demo = await startCommand(cacheFolder, '--server', 'oidc')
  demo.interrupt()
  expect(await demo.ended).toBe(0)
  const [first = '', second] = demo.printed().trim().split('\n')
  expect(first).toBe('latchkey demo: the admin app of a firm, on an OpenID Connect provider')
  expect(second?.trim()).toBe('Or on the firm’s own server, with seven more screens: npm run demo')
  await rm(cacheFolder, { recursive: true, force: true })
})
