// Drives Firefox over Marionette, its own wire: the commands of WebDriver without another program in between.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from './freePort.ts'
import type { Command, DrivenBrowser } from './session.ts'

const START_MS = 60_000
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'

// Nothing of Firefox's own on the wire, and no first-run pages; what a user meets is left as it is.
const PREFERENCES: Readonly<Record<string, string | number | boolean>> = {
  'app.update.disabledForTesting': true,
  'browser.aboutwelcome.enabled': false,
  'browser.newtabpage.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'browser.startup.page': 0,
  'captivedetect.canonicalURL': '',
  'datareporting.policy.dataSubmissionEnabled': false,
  'dom.disable_open_during_load': true,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'network.manage-offline-status': false,
  'toolkit.telemetry.enabled': false,
}

/** Messages are a length in decimals, a colon and JSON. */
function createWire(socket: Socket) {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let received = Buffer.alloc(0)
  let serial = 0
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    for (;;) {
      const colon = received.indexOf(':')
      const length = colon < 0 ? Number.NaN : Number(received.subarray(0, colon).toString())
      if (Number.isNaN(length) || received.length < colon + 1 + length) return
      const message: unknown = JSON.parse(received.subarray(colon + 1, colon + 1 + length).toString())
      received = received.subarray(colon + 1 + length)
      if (!Array.isArray(message)) continue
      const [, id, error, value] = message as [
        number,
        number,
        { error: string; message: string } | null,
        unknown,
      ]
      if (error) waiting.get(id)?.reject(new Error(`${error.error}: ${error.message}`))
      else waiting.get(id)?.resolve(value)
      waiting.delete(id)
    }
  })
  socket.on('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('Firefox has closed its line'))
  })
  return async (name: string, parameters: object = {}): Promise<unknown> =>
    new Promise((resolve, reject) => {
      serial += 1
      waiting.set(serial, { resolve, reject })
      const text = JSON.stringify([0, serial, name, parameters])
      socket.write(`${Buffer.byteLength(text)}:${text}`)
    })
}

async function dial(port: number, child: ChildProcess): Promise<Socket> {
  const startedAtMs = Date.now()
  for (;;) {
    try {
      return await new Promise<Socket>((resolve, reject) => {
        const socket = connect(port, '127.0.0.1', () => resolve(socket))
        socket.on('error', reject)
      })
    } catch (error) {
      if (child.exitCode !== null || Date.now() - startedAtMs > START_MS) throw error
      await new Promise((resolve) => {
        setTimeout(resolve, 200)
      })
    }
  }
}

const valueOf = (answer: unknown) => (answer as { value: unknown }).value

/** Starts Firefox without a window, with a fresh profile. */
export async function openFirefox(executable: string): Promise<DrivenBrowser> {
  const profile = mkdtempSync(join(tmpdir(), 'latchkey-firefox-'))
  const port = await findFreePort()
  const preferences = { ...PREFERENCES, 'marionette.port': port }
  writeFileSync(
    join(profile, 'user.js'),
    Object.entries(preferences)
      .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
      .join(''),
  )
  const child = spawn(
    executable,
    [
      '--headless',
      '--marionette',
      '--remote-allow-system-access',
      '--no-remote',
      '--profile',
      profile,
      'about:blank',
    ],
    { stdio: 'ignore', env: { ...process.env, HOME: profile, MOZ_DISABLE_CONTENT_SANDBOX: '1' } },
  )
  const ended = new Promise<void>((resolve) => {
    child.on('exit', () => resolve())
  })
  const close = async () => {
    child.kill()
    await ended
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  }

  try {
    const send = createWire(await dial(port, child))
    const session = (await send('WebDriver:NewSession', {})) as {
      capabilities: { browserName: string; browserVersion: string }
    }
    const run = async (command: Command): Promise<unknown> => {
      switch (command.name) {
        case 'navigate':
          return send('WebDriver:Navigate', { url: command.url })
        case 'refresh':
          return send('WebDriver:Refresh')
        case 'back':
          return send('WebDriver:Back')
        case 'newTab':
          return ((await send('WebDriver:NewWindow', { type: 'tab' })) as { handle: string }).handle
        case 'closeTab':
          return send('WebDriver:CloseWindow')
        case 'tabs':
          return send('WebDriver:GetWindowHandles')
        case 'switchTo':
          return send('WebDriver:SwitchToWindow', { handle: command.tab })
        case 'find': {
          const found = valueOf(await send('WebDriver:FindElement', { using: 'xpath', value: command.xpath }))
          return (found as Record<string, string>)[ELEMENT]
        }
        case 'click':
          return send('WebDriver:ElementClick', { id: command.element })
        case 'type':
          return send('WebDriver:ElementSendKeys', { id: command.element, text: command.text })
        case 'script':
          return valueOf(await send('WebDriver:ExecuteScript', { script: command.body, args: [] }))
      }
    }
    return {
      name: 'Firefox',
      version: session.capabilities.browserVersion,
      run,
      close,
      async setOffline(isOffline) {
        await send('Marionette:SetContext', { value: 'chrome' })
        await send('WebDriver:ExecuteScript', { script: `Services.io.offline = ${isOffline}`, args: [] })
        await send('Marionette:SetContext', { value: 'content' })
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}
