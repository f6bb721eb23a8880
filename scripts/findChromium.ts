// Finds the Chromium that the browser tests, the end-to-end tests and the benches drive, and installs one where there is none.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { posix } from 'node:path'
import { runCommand } from './runCommand.ts'

/** Environment variables that name a browser, in the order in which they are asked. */
const CHROMIUM_VARIABLES = [
  'LATCHKEY_CHROMIUM',
  'CHROME_PATH',
  'PLAYWRIGHT_CHROMIUM_EXECUTABLE_PATH',
] as const

const QUIET_FLAGS = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
  '--disable-gpu',
]

const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge']

/** The same engine without the windows of a desktop: a third of the work for a page. It has no back-forward cache. */
const SHELL = 'chromium-headless-shell'

const MAC_APPLICATIONS = ['Chromium', 'Google Chrome', 'Microsoft Edge']

const WINDOWS_PROGRAMS = [
  ['Chromium', 'Application', 'chrome.exe'],
  ['Google', 'Chrome', 'Application', 'chrome.exe'],
  ['Microsoft', 'Edge', 'Application', 'msedge.exe'],
]

const REMEDY = [
  'Remedy: install Chromium, Chrome or Edge (Debian: apt-get install chromium; elsewhere: npx playwright install chromium),',
  `or name one that is installed: ${CHROMIUM_VARIABLES[0]}=/path/to/chromium npm test`,
].join('\n')

const { platform, env } = process
const isRoot = process.getuid?.() === 0

/** The path of a usable Chromium, or undefined; throws when a variable names a browser that is not there. */
function chooseChromium({ isShellEnough = true } = {}): string | undefined {
  for (const name of CHROMIUM_VARIABLES) {
    const path = env[name]
    if (!path) continue
    if (existsSync(path)) return path
    throw new Error(`${name} names ${path}, but there is no such file.\n${REMEDY}`)
  }
  const shells = isShellEnough ? shellPaths() : []
  const isUsable = (path: string) => path !== '' && existsSync(path) && doesStart(path)
  return [...shells, ...wellKnownPaths()].find(isUsable) ?? [ownOfPlaywright()].find(isUsable)
}

/** Playwright takes a second to load: only where no other is found. */
function ownOfPlaywright(): string {
  const { chromium } = createRequire(import.meta.url)('playwright') as typeof import('playwright')
  return chromium.executablePath()
}

/** The commands that install what is missing here, in order; each has to succeed before the next one runs. */
function planInstallation(): string[] {
  const hasChromium = chooseChromium({ isShellEnough: false }) !== undefined
  if (platform === 'linux' && isRoot && isDebian()) {
    const isNamed = CHROMIUM_VARIABLES.some((name) => env[name])
    const hasShell = isNamed || shellPaths().some((path) => existsSync(path))
    const packages = [...(hasChromium ? [] : ['chromium', 'fonts-liberation']), ...(hasShell ? [] : [SHELL])]
    if (packages.length === 0) return []
    return ['apt-get update', `apt-get install -y --no-install-recommends ${packages.join(' ')}`]
  }
  if (hasChromium) return []
  const withSystem = platform === 'linux' && isRoot ? '--with-deps ' : ''
  return [`${platform === 'win32' ? 'npx.cmd' : 'npx'} --no playwright install ${withSystem}chromium`]
}

/**
 * Launch options for this machine; without a Chromium, Playwright's own message says what to install. The sandbox goes only
 * where it cannot work. `hasBackForwardCache`: as users have it; Playwright switches it off otherwise.
 */
export function chromiumLaunchOptions({ hasBackForwardCache = false } = {}) {
  const executablePath = chooseChromium({ isShellEnough: !hasBackForwardCache })
  return {
    headless: true,
    args: isRoot || env['CI'] ? ['--no-sandbox', ...QUIET_FLAGS] : QUIET_FLAGS,
    ...(executablePath !== undefined && { executablePath }),
    ...(hasBackForwardCache && { ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
  }
}

/** Installs the Chromium that is missing; fails with the remedy when there is none in the end. `undefined`: nothing is missing. */
export function ensureChromium(report: (line: string) => void): Promise<void> | undefined {
  const plan = planInstallation()
  const isThere = () => chooseChromium({ isShellEnough: false }) !== undefined
  return plan.length === 0 && isThere() ? undefined : install(plan, isThere, report)
}

async function install(
  plan: readonly string[],
  isThere: () => boolean,
  report: (line: string) => void,
): Promise<void> {
  let failure = ''
  for (const line of plan) {
    report(`Chromium or a part of it is missing, running: ${line}`)
    const { isSuccess, output } = await runCommand(line, { DEBIAN_FRONTEND: 'noninteractive' })
    if (isSuccess) continue
    failure = `"${line}" failed:\n${output.trim().split('\n').slice(-5).join('\n')}`
    report(failure)
    break
  }
  // A distribution without the shell still has the whole browser.
  if (!isThere()) throw new Error(`No Chromium that starts. ${failure}\n${REMEDY}`)
}

function isDebian(): boolean {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : ''
  return /^ID=["']?debian["']?$/m.test(release)
}

const pathFolders = () => (env['PATH'] ?? '').split(posix.delimiter).filter((folder) => folder !== '')

const shellPaths = (): string[] =>
  platform === 'linux' ? [...pathFolders(), '/usr/bin'].map((folder) => posix.join(folder, SHELL)) : []

function wellKnownPaths(): string[] {
  if (platform === 'win32') {
    const roots = [env['ProgramFiles'], env['ProgramFiles(x86)'], env['LOCALAPPDATA']]
    return roots.flatMap((root) => (root ? WINDOWS_PROGRAMS.map((parts) => [root, ...parts].join('\\')) : []))
  }
  if (platform === 'darwin') {
    const folders = ['/Applications', ...(env['HOME'] ? [`${env['HOME']}/Applications`] : [])]
    return folders.flatMap((folder) =>
      MAC_APPLICATIONS.map((name) => `${folder}/${name}.app/Contents/MacOS/${name}`),
    )
  }
  const folders = [...pathFolders(), '/usr/bin', '/usr/local/bin', '/snap/bin']
  return COMMANDS.flatMap((command) => folders.map((folder) => posix.join(folder, command)))
}

/** Programs that have started once: each project of a Vitest run asks again. */
const started = new Set<string>()

/** Ubuntu's chromium-browser is a stub that only asks for snap. Asking for the version opens a window on Windows and macOS. */
function doesStart(path: string): boolean {
  if (platform !== 'linux') return true
  if (!started.has(path) && spawnSync(path, ['--version']).status === 0) started.add(path)
  return started.has(path)
}
