// Promises on every kind of machine: the tests find the browser that is there, or install the right one.
import { describe, expect, it } from 'vitest'
import { chooseChromium, launchOptionsFor, planInstallation } from '../../../scripts/findChromium.ts'
import type { Machine } from '../../../scripts/findChromium.ts'

const DEBIAN = 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\nID=debian\n'
const UBUNTU = 'ID=ubuntu\nID_LIKE=debian\n'

function machineWith(files: string[], change: Partial<Machine> = {}): Machine {
  return {
    platform: 'linux',
    env: { PATH: '/usr/local/bin:/usr/bin' },
    isRoot: true,
    osRelease: DEBIAN,
    playwrightPath: '/root/.cache/ms-playwright/chromium/chrome',
    exists: (path) => files.includes(path),
    starts: () => true,
    ...change,
  }
}

describe('choosing a browser', () => {
  it.each(['LATCHKEY_CHROMIUM', 'CHROME_PATH', 'PLAYWRIGHT_CHROMIUM_EXECUTABLE_PATH'])(
    'takes the one that %s names before any other',
    (name) => {
      const machine = machineWith(['/opt/mine', '/usr/bin/chromium'], { env: { [name]: '/opt/mine' } })
      expect(chooseChromium(machine)).toBe('/opt/mine')
    },
  )

  it('says so when a variable names a browser that is not there', () => {
    const machine = machineWith(['/usr/bin/chromium'], { env: { CHROME_PATH: '/opt/gone' } })
    expect(() => chooseChromium(machine)).toThrow('CHROME_PATH names /opt/gone, but there is no such file.')
  })

  it('finds the one on the path, wherever that is', () => {
    const machine = machineWith(['/nix/bin/google-chrome'], { env: { PATH: '/nix/bin' } })
    expect(chooseChromium(machine)).toBe('/nix/bin/google-chrome')
  })

  it('prefers the shell without windows, which does the same work in a third of the time', () => {
    const machine = machineWith(['/usr/bin/chromium', '/usr/bin/chromium-headless-shell'])
    expect(chooseChromium(machine)).toBe('/usr/bin/chromium-headless-shell')
    expect(chooseChromium(machine, { isShellEnough: false })).toBe('/usr/bin/chromium')
  })

  it('passes by a stub that does not start', () => {
    const machine = machineWith(['/usr/bin/chromium-browser', '/usr/bin/google-chrome'], {
      starts: (path) => path !== '/usr/bin/chromium-browser',
    })
    expect(chooseChromium(machine)).toBe('/usr/bin/google-chrome')
  })

  it('finds Chrome on macOS and Edge on Windows', () => {
    const chrome = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
    expect(chooseChromium(machineWith([chrome], { platform: 'darwin', env: {} }))).toBe(chrome)

    const edge = String.raw`C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe`
    const env = { 'ProgramFiles(x86)': String.raw`C:\Program Files (x86)` }
    expect(chooseChromium(machineWith([edge], { platform: 'win32', env }))).toBe(edge)
  })

  it("falls back to Playwright's own, and to none", () => {
    const { playwrightPath } = machineWith([])
    expect(chooseChromium(machineWith([playwrightPath]))).toBe(playwrightPath)
    expect(chooseChromium(machineWith([]))).toBeUndefined()
  })
})

describe('installing a browser', () => {
  const commands = (change: Partial<Machine>) =>
    planInstallation(machineWith([], change)).map(({ command, args }) => [command, ...args].join(' '))

  it('asks apt on Debian as root, for what is missing', () => {
    const install = 'apt-get install -y --no-install-recommends'
    expect(commands({})).toEqual([
      'apt-get update',
      `${install} chromium fonts-liberation chromium-headless-shell`,
    ])
    const has = (...names: string[]) => ({
      exists: (path: string) => names.some((name) => path === `/usr/bin/${name}`),
    })
    expect(commands(has('chromium'))).toEqual(['apt-get update', `${install} chromium-headless-shell`])
    expect(commands(has('chromium', 'chromium-headless-shell'))).toEqual([])
  })

  it('installs nothing beside a browser that a variable names', () => {
    const env = { LATCHKEY_CHROMIUM: '/opt/mine' }
    expect(commands({ env, exists: (path) => path === '/opt/mine' })).toEqual([])
  })

  it.each<[string, Partial<Machine>, string]>([
    [
      'Ubuntu as root, where apt has only a stub',
      { osRelease: UBUNTU },
      'npx --no playwright install --with-deps chromium',
    ],
    ['Debian as a user', { isRoot: false }, 'npx --no playwright install chromium'],
    ['macOS', { platform: 'darwin', isRoot: false, osRelease: '' }, 'npx --no playwright install chromium'],
    [
      'Windows',
      { platform: 'win32', isRoot: false, osRelease: '' },
      'npx.cmd --no playwright install chromium',
    ],
  ])('asks Playwright on %s', (_, change, command) => {
    expect(commands(change)).toEqual([command])
  })
})

describe('launching a browser', () => {
  it('keeps the sandbox for a developer and gives it up as root or on a build machine', () => {
    const isSandboxed = (change: Partial<Machine>) =>
      !launchOptionsFor(machineWith([], change), undefined).args.includes('--no-sandbox')
    expect(isSandboxed({ isRoot: false })).toBe(true)
    expect(isSandboxed({ isRoot: true })).toBe(false)
    expect(isSandboxed({ isRoot: false, env: { CI: 'true' } })).toBe(false)
  })

  it('names the browser it found, and leaves the choice to Playwright where it found none', () => {
    expect(launchOptionsFor(machineWith([]), '/opt/mine')).toMatchObject({
      executablePath: '/opt/mine',
      headless: true,
    })
    expect(launchOptionsFor(machineWith([]), undefined)).not.toHaveProperty('executablePath')
  })
})
