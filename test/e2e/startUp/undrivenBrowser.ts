// Chromium without a driver on its pages: it prerenders no page that a driver is attached to ("PrerenderingDisabledByDevTools").
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { chromium } from 'playwright'
import { chromiumLaunchOptions } from '../../../scripts/findChromium.ts'

export interface UndrivenBrowser {
  setCookie(cookie: { name: string; value: string; url: string }): Promise<void>
  /** Opens a tab, which nobody looks into: what happens there, servers tell. */
  open(url: string): Promise<void>
  close(): Promise<void>
}

interface Message {
  id?: number
  error?: { message: string }
}

export async function openUndrivenBrowser(): Promise<UndrivenBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'latchkey-undriven-'))
  const { args, executablePath = chromium.executablePath() } = chromiumLaunchOptions()
  const browser = spawn(
    executablePath,
    ['--headless', ...args, '--remote-debugging-pipe', `--user-data-dir=${profile}`, 'about:blank'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  )
  const ended = new Promise<void>((resolve) => browser.once('exit', () => resolve()))
  const [, , , words, said] = browser.stdio as [null, null, null, Writable, Readable]
  const waiting = new Map<number, (message: Message) => void>()
  let rest = ''
  said.setEncoding('utf8').on('data', (text: string) => {
    const messages = (rest + text).split('\0')
    rest = messages.pop() ?? ''
    for (const message of messages.map((one) => JSON.parse(one) as Message))
      waiting.get(message.id ?? 0)?.(message)
  })
  // The browser has been ended.
  for (const stream of [words, said]) stream.on('error', () => {})

  const send = async (method: string, params: object): Promise<void> => {
    const id = waiting.size + 1
    const { error } = await new Promise<Message>((resolve) => {
      waiting.set(id, resolve)
      words.write(`${JSON.stringify({ id, method, params })}\0`)
    })
    if (error) throw new Error(error.message)
  }

  return {
    setCookie: async (cookie) => send('Storage.setCookies', { cookies: [cookie] }),
    open: async (url) => send('Target.createTarget', { url }),
    async close() {
      browser.kill()
      await ended
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
