// Finds the Chromium that the browser tests, the end-to-end tests and the benches drive, and installs one where there is none.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { chromium } from 'playwright'
import { runCommand } from './runCommand.ts'

/** Environment variables that name a browser, in the order in which they are asked. */
export const CHROMIUM_VARIABLES = [
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

/** What the choice of a browser depends on; a test hands in a made-up machine. */
export interface Machine {
  platform: NodeJS.Platform
  env: Readonly<Record<string, string | undefined>>
  isRoot: boolean
  /** The text of /etc/os-release, empty where there is none. */
  osRelease: string
  /** Where Playwright's installer puts its own Chromium. */
  playwrightPath: string
  exists(path: string): boolean
  /** Whether the program really starts: Ubuntu's chromium-browser is a stub that only asks for snap. */
  starts(path: string): boolean
}

/** One command that may bring a browser onto the machine. */
export interface Installation {
  command: string
  args: string[]
}

/** The path of a usable Chromium, or undefined; throws when a variable names a browser that is not there. */
export function chooseChromium(machine: Machine, { isShellEnough = true } = {}): string | undefined {
  for (const name of CHROMIUM_VARIABLES) {
    const path = machine.env[name]
    if (!path) continue
    if (machine.exists(path)) return path
    throw new Error(`${name} names ${path}, but there is no such file.\n${REMEDY}`)
  }
  const shells = isShellEnough ? shellPaths(machine) : []
  return [...shells, ...wellKnownPaths(machine), machine.playwrightPath].find(
    (path) => path !== '' && machine.exists(path) && machine.starts(path),
  )
}

/** The commands that install what is missing here, in order; each has to succeed before the next one runs. */
export function planInstallation(machine: Machine): Installation[] {
  const hasChromium = chooseChromium(machine, { isShellEnough: false }) !== undefined
  const npx = machine.platform === 'win32' ? 'npx.cmd' : 'npx'
  const isApt = machine.platform === 'linux' && machine.isRoot && isDebian(machine)
  if (isApt) {
    const isNamed = CHROMIUM_VARIABLES.some((name) => machine.env[name])
    const hasShell = isNamed || shellPaths(machine).some((path) => machine.exists(path))
    const packages = [...(hasChromium ? [] : ['chromium', 'fonts-liberation']), ...(hasShell ? [] : [SHELL])]
    if (packages.length === 0) return []
    return [
      { command: 'apt-get', args: ['update'] },
      { command: 'apt-get', args: ['install', '-y', '--no-install-recommends', ...packages] },
    ]
  }
  if (hasChromium) return []
  const system = machine.platform === 'linux' && machine.isRoot ? ['--with-deps'] : []
  return [{ command: npx, args: ['--no', 'playwright', 'install', ...system, 'chromium'] }]
}

/** Launch options for every Chromium this project starts; the sandbox goes only where it cannot work. */
export function launchOptionsFor(machine: Machine, executablePath: string | undefined) {
  const sandboxed = !machine.isRoot && !machine.env['CI']
  return {
    headless: true,
    args: sandboxed ? QUIET_FLAGS : ['--no-sandbox', ...QUIET_FLAGS],
    ...(executablePath && { executablePath }),
  }
}

/**
 * Launch options for this machine; without a Chromium, Playwright's own message says what to install.
 * `hasBackForwardCache`: as users have it; Playwright switches it off otherwise.
 */
export function chromiumLaunchOptions({ hasBackForwardCache = false } = {}) {
  const machine = thisMachine()
  return {
    ...launchOptionsFor(machine, chooseChromium(machine, { isShellEnough: !hasBackForwardCache })),
    ...(hasBackForwardCache && { ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
  }
}

/** Installs the Chromium that is missing; fails with the remedy when there is none in the end. `undefined`: nothing is missing. */
export function ensureChromium(report: (line: string) => void): Promise<void> | undefined {
  const plan = planInstallation(thisMachine())
  const isThere = () => chooseChromium(thisMachine(), { isShellEnough: false }) !== undefined
  return plan.length === 0 && isThere() ? undefined : install(plan, isThere, report)
}

async function install(
  plan: readonly Installation[],
  isThere: () => boolean,
  report: (line: string) => void,
): Promise<void> {
  let failure = ''
  for (const { command, args } of plan) {
    const line = [command, ...args].join(' ')
    report(`Chromium or a part of it is missing, running: ${line}`)
    const { isSuccess, output } = await runCommand(line, { env: { DEBIAN_FRONTEND: 'noninteractive' } })
    if (isSuccess) continue
    failure = `"${line}" failed:\n${output.trim().split('\n').slice(-5).join('\n')}`
    report(failure)
    break
  }
  // A distribution without the shell still has the whole browser.
  if (!isThere()) throw new Error(`No Chromium that starts. ${failure}\n${REMEDY}`)
}

const isDebian = ({ osRelease }: Machine) => /^ID=["']?debian["']?$/m.test(osRelease)

function shellPaths({ platform, env }: Machine): string[] {
  if (platform !== 'linux') return []
  return [...(env['PATH'] ?? '').split(posix.delimiter), '/usr/bin']
    .filter((folder) => folder !== '')
    .map((folder) => posix.join(folder, SHELL))
}

function wellKnownPaths({ platform, env }: Machine): string[] {
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
  const folders = [...(env['PATH'] ?? '').split(posix.delimiter), '/usr/bin', '/usr/local/bin', '/snap/bin']
  return COMMANDS.flatMap((command) => folders.map((folder) => (folder ? posix.join(folder, command) : '')))
}

/** Programs that have started once: each project of a Vitest run asks again. */
const started = new Set<string>()

function doesStart(path: string): boolean {
  if (!started.has(path) && spawnSync(path, ['--version']).status === 0) started.add(path)
  return started.has(path)
}

function thisMachine(): Machine {
  return {
    platform: process.platform,
    env: process.env,
    isRoot: process.getuid?.() === 0,
    osRelease: existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '',
    playwrightPath: chromium.executablePath(),
    exists: existsSync,
    // Asking for the version opens a window on Windows and macOS, where no stubs are known.
    starts: (path) => process.platform !== 'linux' || doesStart(path),
  }
}
