// Finds the Chromium that the browser tests, the end-to-end tests and the benches drive, and installs one where there is none.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { chromium } from 'playwright'

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

// The same engine without the windows of a desktop, which cost three times the engine: a page opens and closes all the time here.
const COMMANDS = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'microsoft-edge',
]

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
export function chooseChromium(machine: Machine): string | undefined {
  for (const name of CHROMIUM_VARIABLES) {
    const path = machine.env[name]
    if (!path) continue
    if (machine.exists(path)) return path
    throw new Error(`${name} names ${path}, but there is no such file.\n${REMEDY}`)
  }
  return [...wellKnownPaths(machine), machine.playwrightPath].find(
    (path) => path !== '' && machine.exists(path) && machine.starts(path),
  )
}

/** The commands that install Chromium here, in order; each has to succeed before the next one runs. */
export function planInstallation(machine: Machine): Installation[] {
  const npx = machine.platform === 'win32' ? 'npx.cmd' : 'npx'
  if (machine.platform !== 'linux' || !machine.isRoot) {
    return [{ command: npx, args: ['--no', 'playwright', 'install', 'chromium'] }]
  }
  if (!/^ID=["']?debian["']?$/m.test(machine.osRelease)) {
    return [{ command: npx, args: ['--no', 'playwright', 'install', '--with-deps', 'chromium'] }]
  }
  return [
    { command: 'apt-get', args: ['update'] },
    {
      command: 'apt-get',
      args: ['install', '-y', '--no-install-recommends', 'chromium-headless-shell', 'fonts-liberation'],
    },
  ]
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

/** The path of this machine's Chromium, or undefined. */
export function findChromium(): string | undefined {
  return chooseChromium(thisMachine())
}

/** Launch options for this machine; without a Chromium, Playwright's own message says what to install. */
export function chromiumLaunchOptions() {
  const machine = thisMachine()
  return launchOptionsFor(machine, chooseChromium(machine))
}

/** Finds Chromium and installs it when there is none; throws with the remedy when neither works. */
export function ensureChromium(report: (line: string) => void): string {
  const machine = thisMachine()
  const found = chooseChromium(machine)
  if (found) return found

  for (const { command, args } of planInstallation(machine)) {
    report(`no Chromium found, running: ${[command, ...args].join(' ')}`)
    const { status, error, stdout, stderr } = spawnSync(command, args, {
      encoding: 'utf8',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      shell: machine.platform === 'win32',
    })
    if (status === 0) continue
    const reason = error?.message ?? `${stdout}${stderr}`.trim().split('\n').slice(-5).join('\n')
    throw new Error(`No Chromium found and "${command} ${args.join(' ')}" failed:\n${reason}\n${REMEDY}`)
  }

  const installed = chooseChromium(thisMachine())
  if (!installed) throw new Error(`Chromium was installed but does not start.\n${REMEDY}`)
  return installed
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

function thisMachine(): Machine {
  return {
    platform: process.platform,
    env: process.env,
    isRoot: process.getuid?.() === 0,
    osRelease: existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '',
    playwrightPath: chromium.executablePath(),
    exists: existsSync,
    // Asking for the version opens a window on Windows and macOS, where no stubs are known.
    starts: (path) => process.platform !== 'linux' || spawnSync(path, ['--version']).status === 0,
  }
}
