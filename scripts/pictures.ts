// npm run pictures [-- name …] [--into folder]: takes all pictures of docs/images, or the named ones, from the demo in real Chromium.
// At a fixed time and in one font, so that only a change of content changes a picture: Inter must be installed (fonts-inter).
import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium, type Page } from 'playwright'
import { type Demo, startDemo } from '../demo/startDemo.ts'
import { builtApp, builtTryIt } from './builtApp.ts'
import { chromiumLaunchOptions } from './findChromium.ts'
import { serveFolder } from './serveFolder.ts'

const FOLDER = 'docs/images'
const DESK = { width: 1440, height: 960 }
const SMALL_DESK = { width: 1280, height: 900 }
const SITE = { width: 1120, height: 840 }
const TWO_TABS = { width: 1280, height: 564 }
const PHONE = { width: 360, height: 740 }
const AT = new Date('2026-03-04T10:20:00Z')

/** The demo state of a picture. */
type Shown = Pick<Demo, 'origin'> & Partial<Pick<Demo, 'authServer'>>

export interface Picture {
  /** File name in docs/images, without its extension. */
  readonly name: string
  readonly size: { readonly width: number; readonly height: number }
  readonly isDark?: boolean
  /** The whole page, not only the viewport. */
  readonly isWhole?: boolean
  /** Shows the demo of the documentation site, which runs in the browser. */
  readonly isTryIt?: boolean
  /** No user is signed in. */
  readonly isStranger?: boolean
  readonly idleTimeoutInMinutes?: number
  /** Navigates to the subject and waits until it is visible. */
  show(page: Page, demo: Shown): Promise<unknown>
}

const showHome = async (page: Page, { origin }: Shown) => {
  await page.goto(origin)
  await page.getByRole('heading', { level: 1, name: /, Anna$/ }).waitFor()
  await page.getByText('anna@').first().waitFor()
}

const showDevtools = async (page: Page, demo: Shown) => {
  await showHome(page, demo)
  await page.getByRole('button', { name: 'Session devtools' }).click()
  await page.getByRole('region', { name: 'Latchkey devtools' }).waitFor()
}

const showEditor = async (page: Page, { origin }: Shown) => {
  await page.goto(`${origin}/link-map`)
  await page.getByRole('radio', { name: 'JSON' }).check()
  await page.getByText('Valid JSON').waitFor()
  await page.locator('.lkje[data-surface=full]').scrollIntoViewIfNeeded()
}

const showFault = async (page: Page, demo: Shown) => {
  await showEditor(page, demo)
  await page.getByRole('textbox', { name: 'Link map as JSON' }).last().focus()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.type('oops ')
  await page.getByText('Valid JSON').waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: 'Line 2, column 1' }).scrollIntoViewIfNeeded()
}

/** As on the first page of the site. */
const showTryIt = async (page: Page, { origin }: Shown) => {
  await page.goto(`${origin}/`)
  await page.locator('button[value="anna"]').click()
  await page.getByRole('heading', { level: 1, name: /, Anna$/ }).waitFor()
  await page.getByText('anna@').first().waitFor()
  await page.getByRole('region', { name: 'Latchkey devtools' }).waitFor()
}

/** One session in two tabs, as on the first page of the site. */
const showTwoTabs = async (page: Page, { origin }: Shown) => {
  await page.goto(`${origin}/worker.js`)
  await page.setContent(`<style>
    body { display: grid; grid-template-columns: 1fr 1fr; gap: 16px; margin: 0; padding: 16px; background: #8aa79c; }
    iframe { width: 100%; height: 760px; zoom: 0.7; border: 0; border-radius: 14px; }
    </style><iframe src="/index.html#tab"></iframe><iframe src="/index.html#tab"></iframe>`)
  for (const tab of await page.locator('iframe').all())
    await tab.contentFrame().getByText('anna@').first().waitFor()
}

export const PICTURES: readonly Picture[] = [
  { name: 'two-tabs', size: TWO_TABS, isTryIt: true, isStranger: true, show: showTwoTabs },
  { name: 'home-dark', size: DESK, isDark: true, show: showHome },
  { name: 'home-narrow', size: PHONE, isWhole: true, show: showHome },
  {
    name: 'sign-in',
    size: DESK,
    isStranger: true,
    show: async (page, { origin }) => {
      await page.goto(origin)
      await page.locator('button[value="anna"]').waitFor()
    },
  },
  {
    name: 'signed-out',
    size: SMALL_DESK,
    show: async (page, demo) => {
      await showHome(page, demo)
      await page.getByRole('button', { name: 'Sign out' }).first().click()
      await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
    },
  },
  {
    name: 'start-up-failed',
    size: SMALL_DESK,
    show: async (page, { origin, authServer }) => {
      authServer?.faults.add({ path: '/oauth/token', method: 'POST', status: 503 })
      await page.goto(origin)
      await page.getByRole('timer').waitFor()
    },
  },
  { name: 'devtools-light', size: SMALL_DESK, show: showDevtools },
  { name: 'devtools-dark', size: SMALL_DESK, isDark: true, show: showDevtools },
  { name: 'editor-light', size: SMALL_DESK, show: showEditor },
  { name: 'editor-dark', size: SMALL_DESK, isDark: true, show: showEditor },
  { name: 'editor-fault', size: SMALL_DESK, show: showFault },
  { name: 'try-it-light', size: SITE, isTryIt: true, isStranger: true, show: showTryIt },
  { name: 'try-it-dark', size: SITE, isTryIt: true, isStranger: true, isDark: true, show: showTryIt },
  {
    name: 'idle-countdown',
    size: SMALL_DESK,
    idleTimeoutInMinutes: 0.75,
    show: async (page, demo) => {
      await showHome(page, demo)
      await page.getByRole('button', { name: 'Stay signed in' }).waitFor()
    },
  },
]

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: { into: { type: 'string', default: FOLDER } },
    allowPositionals: true,
  })
  await takeAll(positionals, values.into)
}

async function takeAll(names: readonly string[], into: string): Promise<void> {
  await mkdir(into, { recursive: true })
  const wanted = PICTURES.filter(({ name }) => names.length === 0 || names.includes(name))
  const browser = await chromium.launch({
    ...chromiumLaunchOptions(),
    env: { ...process.env, FONTCONFIG_FILE: await fontsWithInter() },
  })
  try {
    for (const picture of wanted) {
      const demo = await (picture.isTryIt === true
        ? serveFolder(await builtTryIt('/'), '.')
        : startDemo({
            app: { from: 'build', folder: await builtApp() },
            realtime: true,
            environments: true,
            auth: { idleTimeoutInMinutes: picture.idleTimeoutInMinutes ?? 30 },
          }))
      try {
        await take(picture, demo, browser, into)
      } finally {
        await demo.close()
      }
      console.log(`${into}/${picture.name}.png`)
    }
  } finally {
    await browser.close()
  }
}

async function take(picture: Picture, demo: Shown, browser: Browser, into: string): Promise<void> {
  const { name, size, isDark, isWhole, isStranger } = picture
  const context = await browser.newContext({
    viewport: size,
    colorScheme: isDark === true ? 'dark' : 'light',
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
  })
  try {
    await context.clock.setSystemTime(AT)
    if (isStranger !== true) {
      const { startSession, origin } = demo.authServer!
      const cookie = await startSession('anna')
      const { hostname: domain } = new URL(origin)
      await context.addCookies([{ ...cookie, domain, path: '/', httpOnly: true, sameSite: 'Lax' }])
    }
    const page = await context.newPage()
    await picture.show(page, demo)
    // Animations of the last click have ended.
    await page.waitForTimeout(500)
    await page.screenshot({ path: `${into}/${name}.png`, fullPage: isWhole === true })
  } finally {
    await context.close()
  }
}

/** A fontconfig configuration with Inter as the system font. */
async function fontsWithInter(): Promise<string> {
  if (execFileSync('fc-list', [':family=Inter']).length === 0)
    throw new Error('The font Inter is not installed')
  const path = resolve('.cache/fonts.conf')
  const alias = (family: string) =>
    `<match><test name="family"><string>${family}</string></test><edit name="family" mode="prepend" binding="strong"><string>Inter</string></edit></match>`
  await writeFile(
    path,
    `<?xml version="1.0"?><fontconfig><include>/etc/fonts/fonts.conf</include>${['system-ui', 'sans-serif'].map(alias).join('')}</fontconfig>`,
  )
  return path
}
