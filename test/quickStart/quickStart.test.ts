// Does what docs/quickStart.md says, word by word, in an empty folder with the packed package, and signs in with a real browser.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { chromiumLaunchOptions } from '../../scripts/findChromium.ts'
import { isPublished, publishedForm } from '../../scripts/publishedForm.ts'
import { findFreePort } from '../../scripts/browsers/freePort.ts'

const page = readFileSync('docs/quickStart.md', 'utf8').replaceAll('\r\n', '\n')
const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  devDependencies: Record<string, string>
}
const isWindows = process.platform === 'win32'

/** What a section of the page has to type, line by line, and the files it has. */
function section(heading: string, of = page) {
  const [, text = ''] = of.split(new RegExp(`^## (?:\\d\\. )?${heading}$`, 'm'))
  const [own = ''] = text.split(/^## /m)
  return {
    commands: [...own.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
      block.trim().split('\n'),
    ),
    files: [...own.matchAll(/^`([\w./]+)`.*\n\n```\w+\n([\s\S]*?)```/gm)].map(([, path = '', text = '']) => ({
      path,
      text,
    })),
  }
}
const server = section('An authorization server')
const preparing = section('An empty app').commands
const preparingAfterRelease = section('An empty app', publishedForm(page)).commands
const { files, commands: beginning } = section('Four files')
const plugin = section('The Vite plugin').files
const signingIn = section('Sign in').commands
const building = section('Build it').commands
const oidcPart = section('With an OpenID Connect provider')

/** The page's ports may be taken on this machine. */
const ports = { server: 0, app: 5173 }
const toOurPorts = (text: string) =>
  text
    .replaceAll('localhost:4700', `localhost:${ports.server}`)
    .replaceAll('listen(4700)', `listen(${ports.server})`)
    .replaceAll('localhost:5173', `localhost:${ports.app}`)

let folder = ''
let browser: Browser | undefined
const running: ChildProcess[] = []

/** One command after the other, as somebody types them; `mkdir` and `cd` take effect on those that follow. */
function type(lines: readonly string[], cwd: string): string {
  // A test's own NODE_ENV would build the app with React for development.
  const env = { ...process.env, NODE_ENV: undefined }
  return execFileSync(`${lines.join(' && ')} 2>&1`, {
    cwd,
    shell: true,
    encoding: 'utf8',
    stdio: 'pipe',
    env,
  })
}

function write(written: typeof files): void {
  for (const { path, text } of written) {
    const target = join(folder, 'admin', path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, toOurPorts(text))
  }
}

/** A server that stays; gives what it has printed when that says what is waited for. */
async function serve(line: string, said: RegExp, cwd = join(folder, 'admin')): Promise<string> {
  const child = spawn(line, {
    cwd,
    shell: true,
    detached: !isWindows,
    env: { ...process.env, NO_COLOR: '1', BROWSER: 'none' },
  })
  running.push(child)
  return new Promise((say, fail) => {
    let output = ''
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      if (said.test(output)) say(output)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('close', () => fail(new Error(`${line} ended:\n${output}`)))
  })
}

const ADDRESS = /http:\/\/localhost:(\d+)/

/** Serves the app and gives its origin; the port is the page's or the next that is free. */
async function serveApp(line: string): Promise<string> {
  const said = await serve(line, ADDRESS)
  // What Vite begins with this it warns of.
  expect(said).not.toContain('(!)')
  const [origin = '', port] = ADDRESS.exec(said) ?? []
  ports.app = Number(port)
  return origin
}

async function stopServing(): Promise<void> {
  for (const child of running.splice(0)) {
    if (child.pid === undefined || child.exitCode !== null) continue
    const closed = new Promise((done) => child.once('close', done))
    if (isWindows) spawn('taskkill', ['/pid', String(child.pid), '/T', '/F'])
    else process.kill(-child.pid, 'SIGKILL')
    await closed
  }
}

/** The version of the page's `vite@latest`: a new template breaks no build here. */
const CREATE_VITE = 'vite@9.3.0'

/** The template names ranges; the packages of this repository are installed in its own versions. */
function pinApp(folder: string): void {
  const path = join(folder, 'package.json')
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Record<string, Record<string, string>>
  for (const group of ['dependencies', 'devDependencies'])
    for (const name of Object.keys(manifest[group] ?? {}))
      manifest[group]![name] = devDependencies[name] ?? manifest[group]![name]!
  writeFileSync(path, JSON.stringify(manifest))
}

/** What is typed, with the one package from here and all others in the versions that this repository has: a new release elsewhere breaks no build here. */
function pinned(line: string, tarball: string): string {
  if (line.startsWith('npm create'))
    return line.replace('npm create vite@latest', `npm create --yes ${CREATE_VITE}`)
  if (!line.startsWith('npm install')) return line
  const words = line.split(' ').map((word) => {
    if (word === 'latchkey') return tarball
    const version = devDependencies[word]
    return version === undefined ? word : `${word}@${version}`
  })
  return `${words.join(' ')} --prefer-offline --no-audit --no-fund --loglevel=error`
}

/** A page that counts its visits of the sign-in address, those of hidden frames too, and its own loads. */
async function openPage() {
  const context = await browser!.newContext()
  context.setDefaultTimeout(20_000)
  const tab = await context.newPage()
  const faults: string[] = []
  const counts = { authorize: 0, loads: 0 }
  tab.on('pageerror', ({ message }) => faults.push(message))
  tab.on('request', (request) => {
    if (/\/(?:oauth\/authorize|auth)$/.test(new URL(request.url()).pathname)) counts.authorize += 1
    if (request.isNavigationRequest() && request.frame() === tab.mainFrame()) counts.loads += 1
  })
  return { tab, counts, faults, close: async () => context.close() }
}

const greeting = async (tab: Page, text: string) =>
  tab.getByRole('heading', { level: 1, name: text }).waitFor()

async function expectSignIn(address: string): Promise<void> {
  const { tab, faults, close } = await openPage()
  await tab.goto(`${address}/?page=2#firms`)
  await tab.locator('button[value="anna"]').click()
  await greeting(tab, 'Hello Anna')
  expect(tab.url()).toBe(`${address}/?page=2#firms`)
  await tab.reload()
  await greeting(tab, 'Hello Anna')
  await tab.getByRole('button', { name: 'Sign out' }).click()
  await tab.getByText('You are signed out.').waitFor()
  expect(faults).toEqual([])
  await close()
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-quick-start-'))
  ports.server = await findFreePort()
  browser = await chromium.launch(chromiumLaunchOptions())
})
afterEach(stopServing)
afterAll(async () => {
  await stopServing()
  await browser?.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

const startDemoServer = async () => {
  const said = await serve(
    `npm run demo:server -- --port ${ports.server}`,
    /^} satisfies AuthConfig$/m,
    process.cwd(),
  )
  // What it prints to paste is the file of the page.
  const { text } = files.find(({ path }) => path === 'src/authConfig.ts')!
  expect(said).toContain(toOurPorts(text))
}

it('is twelve steps at most: lines to type, files, one address to open', () => {
  expect(section('An authorization server', publishedForm(page)).commands).toEqual([
    'npm ci && npm run demo:server',
  ])
  expect(server.commands).toEqual([
    isPublished()
      ? 'npm ci && npm run demo:server'
      : 'npm ci && npm run build && npm pack && npm run demo:server',
  ])
  const typed = [...server.commands, ...preparing, ...beginning, ...signingIn]
  expect([...typed, ...files, ...plugin, 'open'].length).toBeLessThanOrEqual(12)
})

it('installs, has its files and can be built', () => {
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    encoding: 'utf8',
    shell: isWindows,
  })
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }]
  const tarball = resolve(folder, filename)
  // Before the first release from the clone beside it, after it by its name; no other line differs.
  expect(preparingAfterRelease[2]).toMatch(/^npm install latchkey /)
  expect(preparing.toSpliced(2, 1)).toEqual(preparingAfterRelease.toSpliced(2, 1))
  if (!isPublished()) {
    expect(preparing[2]).toBe(preparingAfterRelease[2]!.replace('latchkey', `../latchkey/${filename}`))
    mkdirSync(join(folder, 'latchkey'))
    copyFileSync(tarball, join(folder, 'latchkey', filename))
  }
  const [create = '', ...rest] = preparing.map((line) => pinned(line, tarball))
  type([create], folder)
  pinApp(join(folder, 'admin'))
  type(rest, folder)
  const app = join(folder, 'admin')
  expect(beginning).toHaveLength(1)
  // Its questions are answered with yes.
  type([`${beginning[0]} --yes`], app)
  expect([files.length, plugin.length]).toEqual([4, 1])
  for (const { path, text } of [...files, ...plugin]) expect(readFileSync(join(app, path), 'utf8')).toBe(text)
  write(files)
  expect(building).toHaveLength(2)
  expect(type(building.slice(0, 1), app)).not.toMatch(/warning|\(!\)/i)
})

it('signs in at npm run demo:server, stays signed in and signs out while it is developed', async () => {
  expect(signingIn).toHaveLength(1)
  await startDemoServer()
  await expectSignIn(await serveApp(signingIn[0]!))
})

it('keeps page and session when a component is edited: nothing loads, nobody asks the server', async () => {
  await startDemoServer()
  const { tab, counts, faults, close } = await openPage()
  await tab.goto(await serveApp(signingIn[0]!))
  await tab.locator('button[value="anna"]').click()
  await greeting(tab, 'Hello Anna')
  const before = { ...counts }
  const desk = files.find(({ path }) => path === 'src/Desk.tsx')!
  write([{ ...desk, text: desk.text.replace('Hello ', 'Good morning ') }])
  await greeting(tab, 'Good morning Anna')
  expect(counts).toEqual(before)
  expect(faults).toEqual([])
  write([desk])
  await close()
})

it('signs in, stays signed in and signs out as it was built', async () => {
  await startDemoServer()
  await expectSignIn(await serveApp(building[1]!))
})

it('signs in at the OpenID Connect provider that the page starts', async () => {
  const [install = '', start = ''] = oidcPart.commands
  type([pinned(install, '')], join(folder, 'admin'))
  const script = oidcPart.files.find(({ path }) => path === 'server.mjs')!
  write(oidcPart.files.filter((file) => file !== script))
  expect(script.text.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(15)

  const origin = await serveApp(signingIn[0]!)
  write([script])
  // The first lines are warnings: it is at work once its metadata can be read.
  void serve(start, /development/).catch(() => undefined)
  await expect
    .poll(
      async () => (await fetch(`http://localhost:${ports.server}/.well-known/openid-configuration`)).status,
    )
    .toBe(200)

  const { tab, faults, close } = await openPage()
  await tab.goto(origin)
  await tab.getByPlaceholder('Enter any login').fill('Anna')
  await tab.getByPlaceholder('and password').fill('any')
  await tab.getByRole('button', { name: 'Sign-in' }).click()
  await tab.getByRole('button', { name: 'Continue' }).click()
  await greeting(tab, 'Hello Anna')
  await tab.reload()
  await greeting(tab, 'Hello Anna')
  await tab.getByRole('button', { name: 'Sign out' }).click()
  await tab.getByRole('button', { name: 'Yes, sign me out' }).click()
  await tab.getByText('You are signed out.').waitFor()
  expect(faults).toEqual([])
  await close()
})
