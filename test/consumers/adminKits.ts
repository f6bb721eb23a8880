// The packed package in admin kits, as docs/adminKits.md has it: what a user sees and keeps at 401, at 403, at the end of the session and at sign-out.
import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright'
import { expect } from 'playwright/test'
import { filesOf, readDocsPage, sectionOf } from '../../scripts/docsParts.ts'
import { type Sandbox, type Sandboxes, pageWith, STRICT_TSCONFIG, viteConfigWith } from './sandbox.ts'
import { serveWith } from './serveWith.ts'
import type { Desk } from './signIn.ts'

const PICTURES = '.cache/admin-kits'
const PATIENCE = { timeout: 15_000 }
const TYPED = 'Second draft'
const SHARED = [
  'react',
  'react-dom',
  '@tanstack/react-query',
  'vite',
  'typescript@5.9.3',
  '@types/react',
  '@types/react-dom',
]

/** The app's own API, beside its files: one invoice, and a save that is refused when it is asked to. */
const API_OF_APP = viteConfigWith(`let invoice = { id: 1, title: 'First invoice' }
let refusal = 200
const api = (request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://app')
  const send = (status, body) => response.writeHead(status, { 'content-type': 'application/json', 'content-range': 'invoices 0-0/1' }).end(JSON.stringify(body))
  if (pathname === '/refuse') return send(200, (refusal = Number(searchParams.get('status'))))
  if (!/^Bearer ./.test(request.headers.authorization ?? '')) return send(401, {})
  if (!/^(PUT|PATCH)$/.test(request.method)) return send(200, pathname.endsWith('/1') ? invoice : [invoice])
  if (refusal !== 200) return send(refusal, {})
  let text = ''
  request.on('data', (part) => (text += part)).on('end', () => send(200, (invoice = { ...invoice, ...JSON.parse(text) })))
}
`)

export async function checkReactAdmin(sandboxes: Sandboxes, desk: Desk): Promise<string> {
  const sandbox = sandboxes.open('react-admin', [
    'react-admin@5.15.4',
    'ra-data-simple-rest@5.15.3',
    ...SHARED,
  ])
  const said = await walk(sandbox, desk, {
    kit: 'react-admin',
    open: (page, origin) => page.goto(`${origin}/#/invoices/1`),
    save: 'Save',
    signOut: async (page) => {
      await page.getByRole('button', { name: 'Profile' }).click(PATIENCE)
      await page.getByRole('menuitem', { name: 'Logout' }).click(PATIENCE)
    },
  })
  return `${said}; ${await saveUndoable(sandbox, desk)}`
}

/** The default of react-admin says "updated" at once and sends the save seconds later: the session expires in between. */
async function saveUndoable(sandbox: Sandbox, desk: Desk): Promise<string> {
  const app = sandbox.read('src/App.tsx')
  const undoable = app.replace(' mutationMode="pessimistic"', '')
  if (undoable === app) throw new Error('the page of react-admin has no mutationMode')
  sandbox.write({ 'src/App.tsx': undoable })
  sandbox.run('vite', 'build', '--logLevel=error')
  return serveWith(sandbox, ['vite/bin/vite.js', 'preview', '--port', '0'], async (origin) => {
    const { page: first, close } = await desk.openPage()
    await desk.start(first, origin)
    await first.getByText('First invoice').first().waitFor(PATIENCE)
    const page = await first.context().newPage()
    await first.close()
    await page.goto(`${origin}/#/invoices/1`)
    const title = page.getByRole('textbox', { name: 'Title' })
    try {
      await expect(title).toHaveValue('First invoice', PATIENCE)
      await title.fill(TYPED)
      await page.getByRole('button', { name: 'Save' }).click(PATIENCE)
      await expect(page.getByText('Element updated')).toBeVisible(PATIENCE)
      desk.revokeAllSessions()
      await page.evaluate('void auth.renew({ force: true }).catch(() => {})')
      const dialog = page.getByRole('dialog', { name: 'Your session ended' })
      await expect(dialog).toBeVisible(PATIENCE)
      // Its time for "Undo" is over, and the save is under way.
      await expect(page.getByText('Element updated')).toBeHidden(PATIENCE)
      await page.screenshot({ path: `${PICTURES}/react-admin-undoable.png` })
      const [popup] = await Promise.all([
        page.waitForEvent('popup', PATIENCE),
        dialog.getByRole('button', { name: 'Sign in' }).click(PATIENCE),
      ])
      await popup.locator('button[value="anna"]').click()
      await expect(dialog).toBeHidden(PATIENCE)
      await expect
        .poll(() => page.evaluate(`auth.fetch('/api/invoices/1').then(({ title }) => title)`), PATIENCE)
        .toBe(TYPED)
      await expect(title).toHaveValue(TYPED)
    } catch (error) {
      await page.screenshot({ path: `${PICTURES}/react-admin-undoable-failed.png` })
      throw new Error('an undoable save is lost while the session has expired', { cause: error })
    }
    await close()
    return 'an undoable save whose session expires after "Element updated" waits for the sign-in, and is there'
  })
}

export async function checkRefine(sandboxes: Sandboxes, desk: Desk): Promise<string> {
  const sandbox = sandboxes.open('refine', ['@refinedev/core@5.0.12', ...SHARED])
  return walk(sandbox, desk, {
    kit: 'Refine',
    open: (page, origin) => page.goto(origin),
    save: 'Save',
    signOut: (page) => page.getByRole('button', { name: 'Sign out' }).click(PATIENCE),
  })
}

interface Walk {
  kit: string
  open(page: Page, origin: string): Promise<unknown>
  save: string
  signOut(page: Page): Promise<unknown>
}

async function walk(sandbox: Sandbox, desk: Desk, { kit, open, save, signOut }: Walk): Promise<string> {
  const files = filesOf(sectionOf(readDocsPage('adminKits.md'), `## ${kit}`))
  sandbox.write({
    ...Object.fromEntries(
      Object.entries(files).map(([path, text]) => [
        path,
        text.replace('https://auth.example.com', desk.authHost),
      ]),
    ),
    'index.html': pageWith('/src/main.tsx'),
    'src/main.tsx': `import { createRoot } from 'react-dom/client'
import { App } from './App'
import { auth } from './auth'
Object.assign(window, { auth })
createRoot(document.querySelector('#root')!).render(<App />)
`,
    'vite.config.js': API_OF_APP,
    'tsconfig.json': STRICT_TSCONFIG,
  })
  sandbox.run('tsc', '-p', '.')
  sandbox.run('vite', 'build', '--logLevel=error')
  mkdirSync(PICTURES, { recursive: true })
  return serveWith(sandbox, ['vite/bin/vite.js', 'preview', '--port', '0'], async (origin) => {
    const { page: first, faults, close } = await desk.openPage()
    await desk.start(first, origin)
    await first.waitForURL(`${origin}/**`)
    await first
      .getByText('First invoice')
      .or(first.getByRole('textbox', { name: 'Title' }))
      .first()
      .waitFor(PATIENCE)
      .catch(async () => {
        await first.screenshot({ path: `${PICTURES}/${kit}-first.png` })
        throw new Error(`no first screen: ${faults.join('\n')}`)
      })
    // Its hidden frame finds the session, so that a later "nobody" of a frame counts.
    const page = await first.context().newPage()
    await first.close()
    await open(page, origin)
    const title = page.getByRole('textbox', { name: 'Title' })
    const picture = (name: string) => page.screenshot({ path: `${PICTURES}/${kit}-${name}.png` })
    try {
      await expect(title).toHaveValue('First invoice', PATIENCE)
      await title.fill(TYPED)
      for (const [status, said] of [
        [403, 'You are not allowed to do that.'],
        [401, 'The server does not accept your sign-in.'],
      ] as const) {
        await page.evaluate((wanted) => fetch(`/api/refuse?status=${wanted}`), status)
        await page.getByRole('button', { name: save }).click(PATIENCE)
        await expect(page.getByText(said).first()).toBeVisible(PATIENCE)
        await expect(title).toHaveValue(TYPED)
        await picture(String(status))
      }
      await page.evaluate(() => fetch('/api/refuse?status=200'))
      desk.revokeAllSessions()
      await page.evaluate('void auth.renew({ force: true }).catch(() => {})')
      const dialog = page.getByRole('dialog', { name: 'Your session ended' })
      await expect(dialog).toBeVisible(PATIENCE)
      await picture('expired')
      const [popup] = await Promise.all([
        page.waitForEvent('popup', PATIENCE),
        dialog.getByRole('button', { name: 'Sign in' }).click(PATIENCE),
      ])
      await popup.locator('button[value="anna"]').click()
      await expect(dialog).toBeHidden(PATIENCE)
      await expect(title).toHaveValue(TYPED)
      await page.getByRole('button', { name: save }).click(PATIENCE)
      await expect
        .poll(() => page.evaluate(`auth.fetch('/api/invoices/1').then(({ title }) => title)`), PATIENCE)
        .toBe(TYPED)
      await signOut(page)
      await expect(page.getByText('You are signed out.').first()).toBeVisible(PATIENCE)
      await picture('signed-out')
    } catch (error) {
      await picture('failed')
      throw error
    }
    await close()
    return 'signs in by the code of its page; at 403 and 401 says so and keeps what was typed; after a session that expired the same text is saved; signs out'
  })
}
