// The toasts in use: each kind, a full queue, long texts, the library's own notices.
import type { Messages } from 'latchkey'
import { expect, screen, userEvent, waitFor, within } from 'storybook/test'
import preview from '../.storybook/preview.tsx'
import { sessionRecordKey } from '../src/protocol/storageKeys.ts'
import { internalsOf } from '../src/session/internals.ts'
import { AuthToaster } from '../src/toaster/AuthToaster.tsx'
import { notify } from '../src/toaster/notify.ts'
import { toastQueue } from '../src/toaster/toastQueue.ts'
import { type AuthScene, createAuthScene, InScene } from './authScene.tsx'
import { DUTCH } from '../examples/texts/dutch.ts'
import { GERMAN } from '../examples/texts/german.ts'

const meta = preview.meta({
  title: 'AuthToaster',
  component: AuthToaster,
  parameters: {
    docs: {
      description: {
        component:
          'What the library and the app say. Reference: [AuthToaster](./?path=/docs/components-authtoaster--docs)',
      },
      story: { inline: false, iframeHeight: '320px' },
    },
  },
  args: { position: 'bottom-left' },
  beforeEach: () => () => toastQueue.clear(),
})

const FOR_LONG = { durationMs: Infinity }
const texts = () =>
  [...document.querySelectorAll('.latchkey-toast [dir=auto]')].map((text) => text.textContent)

export const EveryKind = meta.story({
  beforeEach() {
    notify.success('The firm was saved.', FOR_LONG)
    notify.error('You are not allowed to do that.', FOR_LONG)
    notify.loading('Reading the link map')
  },
  play: () => waitFor(() => expect(texts()).toHaveLength(3)),
})

export const EveryKindDark = meta.story({ ...EveryKind.input, globals: { theme: 'dark' } })

export const OneAlone = meta.story({
  beforeEach: () => void notify.success('The firm was saved.', FOR_LONG),
  play: () => waitFor(() => expect(texts()).toEqual(['The firm was saved.'])),
})

export const OthersWait = meta.story({
  beforeEach() {
    for (let number = 1; number <= 12; number += 1) notify.info(`Message ${number} of twelve`, FOR_LONG)
  },
  async play() {
    await waitFor(() => expect(texts()).toHaveLength(3))
    await waitFor(() => expect(screen.getByText(/^9 more/)).toBeVisible())
    await userEvent.click(screen.getByRole('button', { name: 'Close: Message 1 of twelve' }))
    await waitFor(() => expect(texts()).toContain('Message 4 of twelve'))
  },
})

export const SameTextCounted = meta.story({
  beforeEach() {
    for (let number = 1; number <= 7; number += 1) {
      notify.error('The server is busy. Give it a moment.', FOR_LONG)
    }
  },
  play: () => waitFor(() => expect(screen.getByText('×7')).toBeVisible()),
})

export const WithAction = meta.story({
  beforeEach() {
    notify.info('A draft of this page was kept.', { action: { label: 'Restore it', onClick() {} } })
  },
  play: () => waitFor(() => expect(screen.getByRole('button', { name: 'Restore it' })).toBeVisible()),
})

export const LongAndHostileTexts = meta.story({
  beforeEach() {
    notify.error(`${'word '.repeat(100)}end`, FOR_LONG)
    notify.error('<img src=x onerror="alert(1)">\u202Etxt.exe', FOR_LONG)
    notify.info('Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft', FOR_LONG)
  },
  async play() {
    await waitFor(() => expect(texts()).toHaveLength(3))
    await expect(document.querySelector('.latchkey-toast img')).toBeNull()
  },
})

export const Offline = meta.story({
  loaders: [() => createAuthScene()],
  render: (_, { loaded }) => (
    <InScene scene={loaded as never}>
      <AuthToaster />
    </InScene>
  ),
  async play({ loaded }) {
    const { host } = loaded as unknown as Awaited<ReturnType<typeof createAuthScene>>
    await waitFor(() => expect(document.querySelector('.latchkey-toasts')).not.toBeNull())
    host.setOnline(false)
    await waitFor(() => expect(texts()).toEqual(['You are offline. Changes cannot be saved now.']))
  },
})

export const SignedOutElsewhere = meta.story({
  loaders: [() => createAuthScene()],
  render: (_, { loaded }) => (
    <InScene scene={loaded as never}>
      <AuthToaster />
    </InScene>
  ),
  async play({ loaded }) {
    const { host, auth } = loaded as unknown as Awaited<ReturnType<typeof createAuthScene>>
    await waitFor(() => expect(document.querySelector('.latchkey-toasts')).not.toBeNull())
    await waitFor(() => expect(auth.getState().status).toBe('authenticated'))
    host.localStorage.set(
      sessionRecordKey(internalsOf(auth).settings),
      JSON.stringify({ id: 'another', reason: 'signed-out' }),
    )
    host.emit('focus')
    await waitFor(() => expect(texts()).toEqual(['You signed out in another tab.']))
  },
})

/** Twelve messages, and the texts around them, in the user's language. */
const inLanguage = (messages: Messages, seen: readonly string[]) => ({
  loaders: [
    async () => {
      const scene = await createAuthScene({ config: { messages } })
      for (let number = 1; number <= 12; number += 1) notify.info(`${number}`, FOR_LONG)
      return scene
    },
  ],
  render: (_: unknown, { loaded }: { loaded: unknown }) => (
    <InScene scene={loaded as AuthScene}>
      <AuthToaster />
    </InScene>
  ),
  play: async ({ canvasElement }: { canvasElement: HTMLElement }) => {
    const page = within(canvasElement.ownerDocument.body)
    // Toasts fade in.
    for (const name of seen) await waitFor(() => expect(page.getByRole('button', { name })).toBeVisible())
  },
})

export const InGerman = meta.story(inLanguage(GERMAN, ['Alle schließen', 'Schließen: 1']))
export const InDutch = meta.story(inLanguage(DUTCH, ['Alles sluiten', 'Sluiten: 1']))
