// Drives WebKitGTK by its own WebDriver, on a display of its own that nobody sees.
import { type ChildProcess, spawn } from 'node:child_process'
import { findFreePort } from './freePort.ts'
import type { Command, DrivenBrowser } from './session.ts'

const START_MS = 60_000
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'

const ended = async (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve()
    child.on('exit', () => resolve())
  })

/** Starts a display without a screen; its number comes on the fourth line of the process. */
async function openDisplay(): Promise<{ name: string; close(): Promise<void> }> {
  const child = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const number = await new Promise<string>((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', () => reject(new Error('Xvfb ended at once')))
    child.stdio[3]?.on('data', (data: Buffer) => resolve(data.toString().trim()))
  })
  return {
    name: `:${number}`,
    async close() {
      child.kill()
      await ended(child)
    },
  }
}

/** Starts WebKitGTK's small browser with a fresh profile. */
export async function openWebkit(executable: string): Promise<DrivenBrowser> {
  const display = await openDisplay()
  const port = await findFreePort()
  const child = spawn(executable, [`--port=${port}`], {
    stdio: 'ignore',
    env: {
      ...process.env,
      DISPLAY: display.name,
      LIBGL_ALWAYS_SOFTWARE: '1',
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
      WEBKIT_DISABLE_DMABUF_RENDERER: '1',
    },
  })
  const origin = `http://127.0.0.1:${port}`
  const send = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${origin}${path}`, {
      method,
      ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
    })
    const { value } = (await response.json()) as { value: { error: string; message: string } }
    if (!response.ok) throw new Error(`${value.error}: ${value.message}`)
    return value
  }
  const begin = async () => {
    const startedAtMs = Date.now()
    for (;;) {
      try {
        return (await send('POST', '/session', { capabilities: { alwaysMatch: {} } })) as {
          sessionId: string
          capabilities: { browserVersion: string }
        }
      } catch (error) {
        if (child.exitCode !== null || Date.now() - startedAtMs > START_MS) throw error
        await new Promise((resolve) => {
          setTimeout(resolve, 200)
        })
      }
    }
  }
  const close = async (sessionId?: string) => {
    if (sessionId) await send('DELETE', `/session/${sessionId}`).catch(() => {})
    child.kill()
    await ended(child)
    await display.close()
  }

  try {
    const { sessionId, capabilities } = await begin()
    const path = (rest: string) => `/session/${sessionId}${rest}`
    const run = async (command: Command): Promise<unknown> => {
      switch (command.name) {
        case 'navigate':
          return send('POST', path('/url'), { url: command.url })
        case 'refresh':
          return send('POST', path('/refresh'))
        case 'back':
          return send('POST', path('/back'))
        case 'newTab':
          return ((await send('POST', path('/window/new'), { type: 'tab' })) as { handle: string }).handle
        case 'closeTab':
          return send('DELETE', path('/window'))
        case 'tabs':
          return send('GET', path('/window/handles'))
        case 'switchTo':
          return send('POST', path('/window'), { handle: command.tab })
        case 'find': {
          const found = await send('POST', path('/element'), { using: 'xpath', value: command.xpath })
          return (found as Record<string, string>)[ELEMENT]
        }
        case 'click':
          return send('POST', path(`/element/${command.element}/click`))
        case 'type':
          return send('POST', path(`/element/${command.element}/value`), { text: command.text })
        case 'script':
          return send('POST', path('/execute/sync'), { script: command.body, args: [] })
      }
    }
    return {
      name: 'WebKitGTK',
      version: capabilities.browserVersion,
      run,
      close: async () => close(sessionId),
    }
  } catch (error) {
    await close()
    throw error
  }
}
