// Does what docs/quickStart.md says, word by word, in an empty folder with the packed package, and signs in with a real browser.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { type Browser, chromium } from 'playwright'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { AuthServer } from '../../demo/authServer/options.ts'
import { startAuthServer } from '../../demo/authServer/start.ts'
import { chromiumLaunchOptions } from '../../scripts/findChromium.ts'

const page = readFileSync('docs/quickStart.md', 'utf8').replaceAll('\r\n', '\n')
const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  devDependencies: Record<string, string>
}
const isWindows = process.platform === 'win32'

/** The commands, a list for each block. */
const [preparing = [], developing = [], building = []] = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(
  ([, block = '']) => block.trim().split('\n'),
)
const files = [...page.matchAll(/^`([\w./]+)`.*\n\n```\w+\n([\s\S]*?)```/gm)].map(
  ([, path = '', text = '']) => ({ path, text }),
)

let folder = ''
let authServer: AuthServer | undefined
let browser: Browser | undefined
let serving: ChildProcess | undefined

/** One command after the other, as somebody types them; `mkdir` and `cd` take effect on those that follow. */
function type(lines: readonly string[], cwd: string): void {
  execFileSync(lines.join(' && '), { cwd, shell: true, encoding: 'utf8', stdio: 'pipe' })
}

/** A server that stays; answers its origin once it has said it. */
async function serve(line: string): Promise<string> {
  const child = spawn(line, {
    cwd: join(folder, 'admin'),
    shell: true,
    detached: !isWindows,
    env: { ...process.env, NO_COLOR: '1', BROWSER: 'none' },
  })
  serving = child
  return new Promise((say, fail) => {
    let output = ''
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      const origin = /http:\/\/localhost:\d+/.exec(output)?.[0]
      if (origin) say(origin)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('close', () => fail(new Error(`${line} ended:\n${output}`)))
  })
}

async function stopServing(): Promise<void> {
  const child = serving
  serving = undefined
  if (child?.pid === undefined || child.exitCode !== null) return
  const closed = new Promise((done) => child.once('close', done))
  if (isWindows) spawn('taskkill', ['/pid', String(child.pid), '/T', '/F'])
  else process.kill(-child.pid, 'SIGKILL')
  await closed
}

/** What is typed, with the one package from here and all others in the versions that this repository has: a new release elsewhere breaks no build here. */
function pinned(line: string, tarball: string): string {
  if (!line.startsWith('npm install')) return line
  const words = line.split(' ').map((word) => {
    if (word === 'latchkey') return tarball
    const version = devDependencies[word]
    return version === undefined ? word : `${word}@${version}`
  })
  return `${words.join(' ')} --prefer-offline --no-audit --no-fund --loglevel=error`
}

async function expectSignIn(address: string): Promise<void> {
  const faults: string[] = []
  const context = await browser!.newContext()
  context.setDefaultTimeout(20_000)
  const tab = await context.newPage()
  tab.on('pageerror', ({ message }) => faults.push(message))
  authServer!.registerApp({ redirectUris: [`${address}/`] })
  authServer!.requests.clear()

  await tab.goto(`${address}/?page=2#firms`)
  await tab.locator('button[value="anna"]').click()
  await tab.getByRole('heading', { level: 1, name: 'Hello Anna' }).waitFor()
  expect(tab.url()).toBe(`${address}/?page=2#firms`)
  await tab.reload()
  await tab.getByRole('heading', { level: 1, name: 'Hello Anna' }).waitFor()
  const visits = authServer!.requests.matching({ method: 'GET', path: '/oauth/authorize' })
  expect(visits.filter(({ prompt }) => prompt !== 'none')).toHaveLength(1)
  await tab.getByRole('button', { name: 'Sign out' }).click()
  await tab.getByText('You are signed out.').waitFor()
  expect(faults).toEqual([])
  await context.close()
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-quick-start-'))
  authServer = await startAuthServer({ host: 'localhost', clientId: 'admin' })
  browser = await chromium.launch(chromiumLaunchOptions())
})
afterEach(stopServing)
afterAll(async () => {
  await stopServing()
  await browser?.close()
  await authServer?.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

it('installs, has three files and can be built', () => {
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    encoding: 'utf8',
    shell: isWindows,
  })
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }]
  type(
    preparing.map((line) => pinned(line, resolve(folder, filename))),
    folder,
  )

  expect(files.map(({ path }) => path)).toEqual(['index.html', 'tsconfig.json', 'src/main.tsx'])
  for (const { path, text } of files) {
    const target = join(folder, 'admin', path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, text.replace('https://auth.example.com', authServer!.origin))
  }
  expect(building).toHaveLength(3)
  type(building.slice(0, 2), join(folder, 'admin'))
})

it('signs in, stays signed in and signs out while it is developed', async () => {
  expect(developing).toHaveLength(1)
  await expectSignIn(await serve(developing[0]!))
})

it('signs in, stays signed in and signs out as it was built', async () => {
  await expectSignIn(await serve(building[2]!))
})
