// The packed package beside MUI, Ant Design, Mantine and Radix: its toasts and its dialog over an open modal with a half-filled form.
import { mkdirSync } from 'node:fs'
import type { Locator, Page } from 'playwright'
import { expect } from 'playwright/test'
import { filesOf, readDocsPage } from '../../scripts/docsParts.ts'
import { type Kit, KITS, KITS_APP } from './componentKitsApp.ts'
import { pageWith, type Sandboxes } from './sandbox.ts'
import { serveWith } from './serveWith.ts'
import type { Desk } from './signIn.ts'

/** Where the screens of the last run are, to be looked at. */
const PICTURES = '.cache/component-kits'
const TYPED = '120'
const PATIENCE = { timeout: 10_000 }

export async function checkComponentKits(sandboxes: Sandboxes, desk: Desk): Promise<string> {
  const sandbox = sandboxes.open('component-kits', [
    'react',
    'react-dom',
    '@tanstack/react-query',
    'vite',
    ...Object.values(KITS).flatMap(({ packages }) => packages),
  ])
  sandbox.write({
    ...KITS_APP,
    ...Object.fromEntries(Object.entries(KITS).map(([kit, { code }]) => [`src/kits/${kit}.tsx`, code])),
    ...appOfPage(desk.authHost),
    'index.html': pageWith('/src/main.tsx'),
    'vite.config.js': `export default { oxc: { jsx: { runtime: 'automatic' } } }\n`,
  })
  // The kits' own `use client` would be told of in a megabyte.
  sandbox.run('vite', 'build', '--logLevel=error')
  mkdirSync(PICTURES, { recursive: true })
  return serveWith(sandbox, ['vite/bin/vite.js', 'preview', '--port', '0'], async (origin) => {
    const faults: string[] = []
    for (const kit of Object.keys(KITS) as Kit[]) faults.push(...(await checkKit(origin, kit, desk)))
    if (faults.length > 0) throw new Error(faults.join('\n'))
    return `over an open modal of ${Object.keys(KITS).join(', ')} with a half-filled form: toasts, the idle countdown and the dialog of an expired session are there by role and take clicks and Escape for themselves; what was typed is there after the sign-in`
  })
}

/** The app of docs/componentKits.md, with an idle time that counts down from the start. */
function appOfPage(authHost: string): Record<string, string> {
  const { 'src/auth.ts': auth = '', ...rest } = filesOf(readDocsPage('componentKits.md'))
  const own = auth.replace('https://auth.example.com', authHost)
  return { ...rest, 'src/auth.ts': own.replace("['openid'],", "['openid'],\n  idleTimeoutInMinutes: 0.95,") }
}

/** Every promise of one kit; what does not hold, in words. */
async function checkKit(origin: string, kit: Kit, desk: Desk): Promise<string[]> {
  const faults: string[] = []
  const scenes: readonly (readonly [name: string, play: (scene: Scene) => Promise<void>])[] = [
    ['a click on a toast is the toast’s alone', clickToast],
    ['Escape in a toast closes the toast alone', escapeToast],
    ['"Stay signed in" begins the idle time anew', stay],
    ['Escape closes neither the dialog nor the modal', escapeDialog],
    ['the dialog signs in, and the form is as it was', signInAgain],
  ]
  const { page: first, close } = await desk.openPage()
  await desk.start(first, `${origin}/${kit}`)
  await first.getByRole('button', { name: 'New invoice' }).waitFor()
  // Its hidden frame finds the session, so that a later "nobody" of a frame counts.
  const page = await first.context().newPage()
  await first.close()
  await page.goto(`${origin}/${kit}`)
  for (const [name, play] of scenes) {
    try {
      await openForm(page)
      await play({ page, desk })
      await expectForm(page)
      await page.screenshot({
        path: `${PICTURES}/${kit}-${scenes.findIndex(([own]) => own === name) + 1}.png`,
      })
    } catch (error) {
      await page.screenshot({ path: `${PICTURES}/${kit}-failed.png` })
      faults.push(`${kit}: ${name}: ${(error as Error).message.split('\n').slice(0, 4).join(' ')}`)
    }
  }
  await close()
  return faults
}

interface Scene {
  page: Page
  desk: Desk
}

/** The modal with something typed into it; opened anew where the scene before has lost it. */
async function openForm(page: Page): Promise<void> {
  const amount = page.getByLabel('Amount')
  if (!(await amount.isVisible())) {
    await page.getByRole('button', { name: 'New invoice' }).click()
    await amount.fill(TYPED)
  }
  await amount.focus()
}

async function expectForm(page: Page): Promise<void> {
  const amount = page.getByRole('dialog', { name: 'Invoice' }).getByLabel('Amount')
  await expect(amount).toBeVisible(PATIENCE)
  await expect(amount).toHaveValue(TYPED)
}

async function clickToast({ page }: Scene): Promise<void> {
  await page.evaluate(
    `void notify.info('The invoice is a draft.', { action: { label: 'Show', onClick: () => { window.shown = true } } })`,
  )
  await page.getByRole('button', { name: 'Show' }).click(PATIENCE)
  await expect.poll(() => page.evaluate('window.shown'), PATIENCE).toBe(true)
}

async function escapeToast({ page }: Scene): Promise<void> {
  await page.evaluate(`void notify.error('The invoice was not saved.')`)
  const button = page.getByRole('button', { name: 'Close: The invoice was not saved.' })
  await button.waitFor(PATIENCE)
  // No kit lets Tab out of its modal. The countdown stands first when it is there.
  await expect(async () => {
    // Ant Design takes the focus once more when its modal has opened.
    await page.keyboard.press('F8')
    for (let step = 0; step < 6 && !(await isFocused(button)); step += 1) await page.keyboard.press('Tab')
    await expect(button).toBeFocused({ timeout: 500 })
  }).toPass(PATIENCE)
  await page.keyboard.press('Escape')
  await expect(button).toBeHidden(PATIENCE)
}

const isFocused = async (target: Locator) => target.evaluate((element) => element === document.activeElement)

async function stay({ page }: Scene): Promise<void> {
  const countdown = page.getByText(/^You will be signed out in \d+ s/).first()
  const secondsLeft = async () => Number(/(\d+) s/.exec(await countdown.innerText())?.[1])
  await expect.poll(secondsLeft, PATIENCE).toBeLessThan(54)
  await page.getByRole('button', { name: 'Stay signed in' }).click(PATIENCE)
  await expect.poll(secondsLeft, PATIENCE).toBeGreaterThan(54)
}

const asked = (page: Page) => page.getByRole('dialog', { name: 'Your session ended' })

async function escapeDialog({ page, desk }: Scene): Promise<void> {
  desk.revokeAllSessions()
  await page.evaluate('void auth.renew({ force: true }).catch(() => {})')
  await expect(asked(page)).toBeVisible(PATIENCE)
  for (let time = 0; time < 3; time += 1) await page.keyboard.press('Escape')
  await expect(asked(page)).toBeVisible(PATIENCE)
}

async function signInAgain({ page }: Scene): Promise<void> {
  const button = asked(page).getByRole('button', { name: 'Sign in' })
  const [popup] = await Promise.all([page.waitForEvent('popup', PATIENCE), button.click(PATIENCE)])
  await popup.locator('button[value="anna"]').click()
  await expect(asked(page)).toBeHidden(PATIENCE)
  await expect(page.getByLabel('Amount')).toBeFocused(PATIENCE)
}
