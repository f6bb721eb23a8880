// Every state of the JSON editor that a user can meet; each story runs as a test with axe.
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { expect, userEvent, waitFor, within } from 'storybook/test'
import { GERMAN_EDITOR } from '../examples/texts/german.ts'
import { JsonEditor } from '../src/editor/index.ts'
import preview from '../.storybook/preview.tsx'

const LINK_MAP = `[
  {
    "internalUser": "ada",
    "externalUser": { "id": "ada@cloud.test" }
  },
  {
    "internalUser": "grace",
    "externalUser": { "id": "grace@cloud.test" }
  }
]`

const meta = preview.meta({
  component: JsonEditor,
  parameters: {
    docs: {
      description: {
        component:
          'Every state of the editor. Reference: [JsonEditor](./?path=/docs/components-jsoneditor--docs)',
      },
    },
  },
  args: { label: 'Link map', defaultValue: LINK_MAP },
})

/** Waits for Monaco, whose files Vite bundles on first use: up to a minute on a busy machine. */
const untilFull = (canvas: HTMLElement) =>
  waitFor(() => expect(canvas.querySelector('.lkje')).toHaveAttribute('data-surface', 'full'), {
    timeout: 240_000,
  })
const untilSaid = (canvas: HTMLElement, text: string) =>
  waitFor(() => expect(canvas.querySelector('.lkje-status [role=status]')).toHaveTextContent(text), {
    timeout: 20_000,
  })

export const Valid = meta.story({
  play: async ({ canvasElement }) => {
    await untilFull(canvasElement)
    await untilSaid(canvasElement, 'Valid JSON')
  },
})

export const Dark = meta.story({ ...Valid.input, globals: { theme: 'dark' } })

export const HighContrast = meta.story({ ...Valid.input, args: { theme: 'high-contrast' } })

export const Faulty = meta.story({
  args: { defaultValue: '{\n  "name": "Ada" "age": 36,\n  tags: ["x", "y",],\n  "note": "unclosed\n' },
  play: async ({ canvasElement }) => {
    await untilFull(canvasElement)
    await untilSaid(canvasElement, '5 errors')
    await userEvent.click(within(canvasElement).getByRole('link', { name: 'Line 2, column 17' }))
  },
})

export const FaultyDark = meta.story({ ...Faulty.input, globals: { theme: 'dark' } })

export const Doubtful = meta.story({
  args: { defaultValue: '{\n  "id": 9007199254740993,\n  "a": 1,\n  "a": 2\n}' },
  play: async ({ canvasElement }) => {
    await untilFull(canvasElement)
    await untilSaid(canvasElement, 'Valid JSON, 2 warnings')
  },
})

export const AgainstASchema = meta.story({
  args: {
    defaultValue: '[{ "internalUser": "ada" }]',
    schema: {
      type: 'array',
      items: {
        type: 'object',
        required: ['internalUser', 'externalUser'],
        properties: { externalUser: { type: 'object' } },
      },
    },
  },
  play: async ({ canvasElement }) => {
    await untilFull(canvasElement)
    await untilSaid(canvasElement, '1 error')
    await expect(
      within(canvasElement).getByText(/Key "externalUser" is missing/, { selector: 'li *' }),
    ).toBeVisible()
  },
})

export const Compared = meta.story({
  args: { original: LINK_MAP.replace('grace@cloud.test', 'hopper@cloud.test') },
  play: async ({ canvasElement }) => {
    await untilFull(canvasElement)
    await userEvent.click(within(canvasElement).getByRole('button', { name: 'Compare' }))
    await waitFor(() => expect(canvasElement.querySelector('.lkje-compare .line-insert')).not.toBeNull(), {
      timeout: 20_000,
    })
  },
})

export const Empty = meta.story({
  args: { defaultValue: '', required: true, placeholder: 'Paste JSON here' },
  play: async ({ canvasElement }) => {
    await untilFull(canvasElement)
    await untilSaid(canvasElement, 'Empty')
  },
})

export const ReadOnly = meta.story({
  ...Valid.input,
  args: {
    label: 'Redirection rules',
    readOnly: true,
    full: true,
    toolbar: ['find', 'wrap', 'copy', 'download'],
  },
})

export const Disabled = meta.story({
  args: { disabled: true },
  play: async ({ canvasElement }) => {
    await untilFull(canvasElement)
  },
})

export const TextareaOnly = meta.story({
  args: { full: false, defaultValue: '[1, 2' },
  play: async ({ canvasElement }) => {
    await untilSaid(canvasElement, '1 error')
  },
})

/** As under a CSP that forbids what Monaco needs. */
export const CannotLoad = meta.story({
  args: { defaultValue: '[1, 2' },
  beforeEach: () => {
    const { prototype } = HTMLStyleElement
    const sheet = Object.getOwnPropertyDescriptor(prototype, 'sheet')!
    Object.defineProperty(prototype, 'sheet', { ...sheet, get: () => null })
    return () => Object.defineProperty(prototype, 'sheet', sheet)
  },
  play: async ({ canvasElement }) => {
    await expect(
      await within(canvasElement).findByText(
        /it would need style-src 'unsafe-inline'/,
        {},
        { timeout: 20_000 },
      ),
    ).toBeVisible()
    await untilSaid(canvasElement, '1 error')
  },
})

/** An input method that is composing keeps Monaco waiting, so that the loading state lasts. */
function Composing({ children }: { readonly children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    box.current!.querySelector('textarea')!.dispatchEvent(new CompositionEvent('compositionstart'))
  }, [])
  return <div ref={box}>{children}</div>
}

export const Loading = meta.story({
  decorators: [
    (Story) => (
      <Composing>
        <Story />
      </Composing>
    ),
  ],
  play: async ({ canvasElement }) => {
    await expect(
      await within(canvasElement).findByText(
        'The full editor is loading; you can type already.',
        {},
        { timeout: 20_000 },
      ),
    ).toBeVisible()
    await untilSaid(canvasElement, 'Valid JSON')
    await expect(canvasElement.querySelector('.lkje')).toHaveAttribute('data-surface', 'plain')
  },
})

/** The check of a long text takes more than 300 ms: its worker does not respond. */
export const Checking = meta.story({
  args: { full: false, defaultValue: `[\n${'  {"id": 1, "name": "ada"},\n'.repeat(3_000)}  {}\n]` },
  beforeEach: () => {
    const { Worker } = globalThis
    globalThis.Worker = class extends Worker {
      override postMessage() {}
    }
    return () => {
      globalThis.Worker = Worker
    }
  },
  play: async ({ canvasElement }) => {
    await untilSaid(canvasElement, 'Checking…')
    await expect(within(canvasElement).getByRole('progressbar', { name: 'Checking…' })).toBeVisible()
  },
})

export const ManyFaults = meta.story({
  args: { defaultValue: '[1 2 3 4 5 6 7 8 9]' },
  play: async ({ canvasElement }) => {
    await untilFull(canvasElement)
    await untilSaid(canvasElement, '8 errors')
    await expect(within(canvasElement).getByText('and 3 more')).toBeVisible()
  },
})

export const Large = meta.story({
  args: { defaultValue: `[\n${'  {"id": 1, "name": "ada"},\n'.repeat(200_000)}  {}\n]` },
  play: async ({ canvasElement }) => {
    await untilFull(canvasElement)
    await untilSaid(canvasElement, 'Valid JSON')
    await untilSaid(canvasElement, 'Large text: colours, folding and wrapping are off.')
  },
})

export const GrowsWithItsText = meta.story({ ...Valid.input, args: { height: 'auto', maxHeight: 400 } })

export const Narrow = meta.story({
  ...Faulty.input,
  decorators: [
    (Story) => (
      <div style={{ width: 320 }}>
        <Story />
      </div>
    ),
  ],
})

export const InAGroup = meta.story({
  args: { full: false, original: '[]' },
  decorators: Narrow.input.decorators,
  play: async ({ canvasElement }) => {
    await userEvent.click(await within(canvasElement).findByRole('button', { name: /^More/ }))
    await waitFor(() => expect(within(canvasElement).getByRole('button', { name: 'Download' })).toBeVisible())
  },
})

export const WithoutToolbar = meta.story({ ...Valid.input, args: { toolbar: false } })

export const InGerman = meta.story({
  args: {
    label: 'Zuordnung',
    defaultValue: '{ "internalUser": ["ada"] }',
    schema: { properties: { internalUser: { type: ['string', 'null'] } } },
    messages: GERMAN_EDITOR,
  },
  play: async ({ canvasElement }) => {
    await untilFull(canvasElement)
    await untilSaid(canvasElement, '1 Fehler')
    await waitFor(() =>
      expect(
        within(canvasElement).getByText(/Muss ein Text oder null sein, nicht eine Liste/, {
          selector: 'li *',
        }),
      ).toBeVisible(),
    )
  },
})
