// The editor in other pages: their colours, direction, dialogs, frames, shadow roots, languages and Monaco.

// @module-tag thorough

import { loader } from '@monaco-editor/react'
import * as monaco from 'monaco-editor/editor'
import { createRef } from 'react'
import { createPortal } from 'react-dom'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { JsonEditor, type JsonEditorHandle, type JsonEditorProps } from '../../src/editor/index.ts'
import { openGroup } from './editorHands.ts'
import { area, box, problems, root, status } from './editorParts.ts'
import { PATIENCE, pause, showEditor, SURFACES, untilFull, untilStatus, untilTools } from './editorScene.tsx'
import { openFreshPage } from './freshPage.ts'

const added: Element[] = []
const add = <Added extends Element>(element: Added): Added => {
  added.push(element)
  return document.body.appendChild(element)
}
const addSheet = (css: string) => add(Object.assign(document.createElement('style'), { textContent: css }))
afterEach(() => {
  for (const element of added.splice(0)) element.remove()
  document.body.removeAttribute('class')
  for (const name of ['dir', 'class', 'data-bs-theme']) document.documentElement.removeAttribute(name)
})

/** The Escapes that the editor handles: of its search, and the one after which Tab leaves it. */
async function pressOwnEscapes() {
  box().focus()
  await userEvent.keyboard('{Control>}f{/Control}')
  await expect.poll(() => document.activeElement?.closest('.find-widget.visible') ?? null).not.toBeNull()
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => document.querySelector('.find-widget.visible')).toBeNull()
  box().focus()
  await userEvent.keyboard('a{Escape}')
  await untilStatus('Tab now leaves the editor.')
}

const DARK = 'background:#111;color:#eee'
const LIGHT = 'background:#fff;color:#111'

it.each([
  ['a page that fades', `body{${LIGHT};transition:all .3s}body.dark{${DARK}}`, document.body, 'dark'],
  [
    'a ground that fades for longer than the text',
    `body{${LIGHT};transition:background-color .6s,color .1s}body.dark{${DARK}}`,
    document.body,
    'dark',
  ],
  [
    'a colour scheme alone',
    'html{color-scheme:light}html.dark{color-scheme:dark}',
    document.documentElement,
    'dark',
  ],
  [
    'a page without motion',
    `*{transition:none!important}body{${LIGHT}}body.dark{${DARK}}`,
    document.body,
    'dark',
  ],
  ['an attribute that we never heard of', `[data-bs-theme]{${DARK}}`, document.documentElement, undefined],
  [
    'a ground that is an image',
    `html{background:#fff}body{background:linear-gradient(#fff,#eee);color:#111}body.dark{background:linear-gradient(#111,#222);color:rgba(255,255,255,.4)}`,
    document.body,
    'dark',
  ],
  [
    'a ground with a tiny number in its colour',
    'body{background:oklab(.98 0 0);color:#111}body.dark{background:oklab(.2 .00000001 -.00000001);color:#eee}',
    document.body,
    'dark',
  ],
])('follows %s to dark and back', async (_what, css, element, name) => {
  addSheet(css)
  await render(<JsonEditor label="Map" full={false} defaultValue="[]" />)
  await untilTools()
  const turn = () => (name ? element.classList.toggle(name) : element.toggleAttribute('data-bs-theme'))
  for (const theme of ['light', 'dark', 'light']) {
    await expect.poll(() => root().dataset['theme']).toBe(theme)
    turn()
  }
})

it('follows the ground that the app gives it, and never that of its own theme', async () => {
  addSheet(`body{${LIGHT}}`)
  const show = (props: JsonEditorProps) => (
    <JsonEditor label="Map" full={false} defaultValue="[]" {...props} />
  )
  const screen = await render(show({ style: { background: '#111', color: '#eee' } }))
  await expect.poll(() => root().dataset['theme']).toBe('dark')
  await screen.rerender(show({ theme: 'dark' }))
  document.body.style.color = 'navy'
  await pause(300)
  await screen.rerender(show({}))
  await expect.poll(() => root().dataset['theme']).toBe('light')
  document.body.style.color = ''
})

it('follows a switch of the theme while it is not displayed', async () => {
  addSheet(`body{${LIGHT}}body.dark{${DARK}}`)
  const showTab = (display: string) => (
    <div style={{ display }}>
      <JsonEditor label="Map" full={false} defaultValue="[]" />
    </div>
  )
  const screen = await render(showTab('block'))
  await untilTools()
  await expect.poll(() => root().dataset['theme']).toBe('light')
  await screen.rerender(showTab('none'))
  document.body.classList.add('dark')
  await pause(300)
  await screen.rerender(showTab('block'))
  await expect.poll(() => root().dataset['theme']).toBe('dark')
})

it('follows a page that switches its theme during detection', async () => {
  addSheet(`body{${LIGHT}}body.dark{${DARK}}`)
  const looks = new MutationObserver(() => {
    if (!document.querySelector('[data-theme]')) return
    looks.disconnect()
    document.body.classList.add('dark')
  })
  looks.observe(document.body, { subtree: true, childList: true, attributeFilter: ['data-theme'] })
  await render(<JsonEditor label="Map" full={false} defaultValue="[]" />)
  await expect.poll(() => root().dataset['theme']).toBe('dark')
})

it('shows its text from left to right in a right-to-left page', async () => {
  document.documentElement.dir = 'rtl'
  await showEditor({ defaultValue: '{\n  "a": [1, 2]\n}' })
  expect(getComputedStyle(area()).direction).toBe('ltr')
  const line = document.querySelector('.lkje-full .view-line')!.getBoundingClientRect()
  expect(line.left).toBeGreaterThan(0)
  expect(line.left).toBeLessThan(innerWidth)
})

it('shows faults and tools in the direction of their language in a right-to-left page', async () => {
  document.documentElement.dir = 'rtl'
  await showEditor({ full: false, defaultValue: '[1 "b"]' })
  await untilStatus('1 error')
  const fault = document.querySelector('.lkje-problems li')!
  expect(fault.textContent).toBe('Line 1, column 4: Missing comma before "b"')
  for (const said of [fault.querySelector('bdi')!, document.querySelector('.lkje-says')!])
    expect(getComputedStyle(said).direction).toBe('ltr')
  await openGroup('More')
  expect(getComputedStyle(document.querySelector('[data-tool=open]')!).direction).toBe('ltr')
  // At the side of the page on which everything else is.
  expect(fault.firstElementChild!.getBoundingClientRect().right).toBeGreaterThan(innerWidth - 60)
})

it('keeps a dialog open for the Escape after which Tab leaves, and for no other', async () => {
  await render(
    <dialog>
      <JsonEditor label="Map" defaultValue="[1]" />
    </dialog>,
  )
  const dialog = document.querySelector('dialog')!
  dialog.showModal()
  await untilFull()
  box().focus()
  await userEvent.keyboard('{Escape}')
  expect(dialog.open).toBe(true)
  await untilStatus('Tab now leaves the editor.')
  await userEvent.keyboard('{Escape}')
  expect(dialog.open).toBe(false)
})

it('hides its own Escapes from component kits whose dialogs close on any Escape', async () => {
  const onEscape = vi.fn<() => void>()
  await render(
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- as such a dialog listens
    <div onKeyDown={({ key }) => key === 'Escape' && onEscape()}>
      <JsonEditor label="Map" defaultValue="[1]" />
    </div>,
  )
  await untilFull()
  await openGroup('More')
  await userEvent.keyboard('{Escape}')
  await pressOwnEscapes()
  expect(onEscape).not.toHaveBeenCalled()
  await userEvent.keyboard('{Escape}')
  expect(onEscape).toHaveBeenCalledOnce()
})

it.each([
  // `useEscapeKeydown` of @radix-ui/react-use-escape-keydown, and what its dismissable layer does then.
  ['Radix', () => document, (event: KeyboardEvent) => !event.defaultPrevented],
  // `useModal` of @mantine/core.
  [
    'Mantine',
    () => window,
    ({ target }: KeyboardEvent) =>
      (target as Element).getAttribute('data-mantine-stop-propagation') !== 'true',
  ],
])(
  'keeps a dialog of %s, which listens before its content does, open for its own Escapes',
  async (_kit, listener, closes) => {
    const onEscape = vi.fn<() => void>()
    const listening = new AbortController()
    // Before the editor: a dialog is there first.
    listener().addEventListener(
      'keydown',
      (event) => {
        if ((event as KeyboardEvent).key === 'Escape' && closes(event as KeyboardEvent)) onEscape()
      },
      { capture: true, signal: listening.signal },
    )
    await render(<JsonEditor label="Map" defaultValue="[1]" />)
    await untilFull()
    await openGroup('More')
    await userEvent.keyboard('{Escape}')
    await expect.poll(() => document.querySelector('.lkje-opened')).toBeNull()
    await pressOwnEscapes()
    expect(onEscape).not.toHaveBeenCalled()
    await userEvent.keyboard('{Escape}')
    expect(onEscape).toHaveBeenCalledOnce()
    await userEvent.keyboard('b{Escape}')
    expect(onEscape).toHaveBeenCalledOnce()
    listening.abort()
  },
)

it.each([
  ['a document of another window', () => add(document.createElement('iframe')).contentDocument!.body],
  ['a shadow root', () => add(document.createElement('div')).attachShadow({ mode: 'open' })],
])('stays a textarea with its check and styles in %s, and says why', async (_where, create) => {
  const place = create()
  await render(<>{createPortal(<JsonEditor label="Map" defaultValue="[1 2]" />, place)}</>)
  const editor = () => place.querySelector<HTMLElement>('.lkje')
  await expect.poll(() => editor()?.textContent).toContain("only works in the page's own document")
  await expect.poll(() => editor()?.textContent).toContain('Missing comma before 2')
  expect(getComputedStyle(editor()!).display).toBe('flex')
  expect(editor()!.dataset['surface']).toBe('plain')
})

it('copies and picks files with the window that shows it: no other one may', async () => {
  const frame = add(document.createElement('iframe'))
  const page = frame.contentWindow as Window & typeof globalThis
  const writeText = vi.spyOn(page.navigator.clipboard, 'writeText').mockResolvedValue()
  const pick = vi.spyOn(page.HTMLInputElement.prototype, 'click').mockReturnValue()
  const { body } = page.document
  await render(<>{createPortal(<JsonEditor label="Map" full={false} defaultValue="[1]" />, body)}</>)
  const press = async (tool: string) => {
    const button = () => body.querySelector<HTMLElement>(`[data-tool=${tool}]`)
    await expect.poll(button).not.toBeNull()
    button()!.click()
  }
  await press('more')
  await press('copy')
  await expect.poll(() => writeText.mock.calls).toEqual([['[1]']])
  await press('open')
  expect(pick).toHaveBeenCalledOnce()
})

it('types the letters that a Mac has on the keys of its tools', async () => {
  const ref = await showEditor({ full: false, defaultValue: '{"b":1,"a":2}' })
  const press = (key: string) =>
    area().dispatchEvent(
      new KeyboardEvent('keydown', {
        key,
        code: 'KeyS',
        altKey: true,
        shiftKey: true,
        bubbles: true,
        cancelable: true,
      }),
    )
  expect(press('Í')).toBe(true)
  await pause(300)
  expect(ref.current!.getValue()).toBe('{"b":1,"a":2}')
  expect(press('S')).toBe(false)
  await expect.poll(() => ref.current!.getValue()).toBe('{"a":2,"b":1}')
})

it('keeps Monaco from taking a letter that a Mac types with Option and Shift for a shortcut', async () => {
  await showEditor({ defaultValue: '[1]' })
  const init = { code: 'KeyI', keyCode: 73, altKey: true, shiftKey: true, bubbles: true, cancelable: true }
  const press = () => box().dispatchEvent(new KeyboardEvent('keydown', { ...init, key: 'ˆ' }))
  box().focus()
  expect(press()).toBe(false)
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Macintosh')
  onTestFinished(() => void vi.restoreAllMocks())
  expect(press()).toBe(true)
})

it('leaves keys typed into the search to the search, even those of its tools', async () => {
  const ref = await showEditor({ defaultValue: '{"b":1,"a":2}' })
  ref.current!.find()
  const field = () => document.querySelector<HTMLElement>('.find-widget textarea, .find-widget input')
  await expect.poll(() => document.activeElement === field()).toBe(true)
  await userEvent.keyboard('{Shift>}{Alt>}S{/Alt}{/Shift}')
  await pause(300)
  expect(ref.current!.getValue()).toBe('{"b":1,"a":2}')
})

it('leaves Monaco of the app unchanged, and takes nothing from it', async () => {
  const known = (loader as never as { __getMonacoInstance(): unknown }).__getMonacoInstance()
  const ref = await showEditor({ defaultValue: '[]' })
  expect((loader as never as { __getMonacoInstance(): unknown }).__getMonacoInstance()).toBe(known)
  expect(ref.current!.getMonaco()!.monaco.editor).toBe(monaco.editor)
  // Monaco would ask it for the workers of the app's languages too.
  expect(globalThis.MonacoEnvironment).toBeUndefined()
  const elsewhere = performance
    .getEntriesByType('resource')
    .filter(({ name }) => !name.startsWith(location.origin))
  expect(elsewhere).toEqual([])
})

it('does not assign its Monaco to the window if the page has an AMD loader', async () => {
  const { window: page, document } = await openFreshPage('/test/browser/amdPage.tsx')
  const surface = () => document.querySelector<HTMLElement>('.lkje')?.dataset['surface']
  await expect.poll(surface, PATIENCE).toBe('full')
  // `loader` of @monaco-editor/react would take it for the app's.
  expect(Reflect.get(page, 'monaco') ?? null).toBeNull()
})

it('shows its text in the Monaco that the app has loaded', async () => {
  const theirs = { ...monaco }
  loader.config({ monaco: theirs })
  await loader.init()
  const ref = await showEditor({ defaultValue: '[1]' })
  expect(ref.current!.getMonaco()!.monaco).toBe(theirs)
})

it('takes options and passes Monaco on, like @monaco-editor/react', async () => {
  const beforeMount = vi.fn<(given: typeof monaco) => void>()
  const onMount = vi.fn<(editor: monaco.editor.IStandaloneCodeEditor, given: typeof monaco) => void>()
  const ref = await showEditor({
    defaultValue: '[1]',
    options: { lineNumbers: 'off', fontSize: 21 },
    beforeMount,
    onMount,
  })
  const { editor } = ref.current!.getMonaco()!
  expect(onMount).toHaveBeenLastCalledWith(editor, expect.objectContaining({ editor: monaco.editor }))
  expect(beforeMount).toHaveBeenCalled()
  expect(editor.getOption(monaco.editor.EditorOption.fontSize)).toBe(21)
  expect(editor.getValue()).toBe('[1]')
})

it('has the font size of the page, in the textarea and in Monaco, also when it changes', async () => {
  const sheet = addSheet('body{font-size:24px}')
  const ref = await showEditor({ defaultValue: '[1]' })
  const { editor } = ref.current!.getMonaco()!
  const sizes = () => [
    Number.parseFloat(getComputedStyle(area()).fontSize),
    editor.getOption(monaco.editor.EditorOption.fontSize),
  ]
  for (const page of [24, 40]) {
    sheet.textContent = `body{font-size:${page}px}`
    const size = expect.closeTo(page * 0.875 * 0.93, 1)
    await expect.poll(sizes).toEqual([size, size])
  }
  expect(editor.getOption(monaco.editor.EditorOption.lineHeight)).toBe(48)
})

it.each([
  ['somebody turns to it', { full: 'focus' as const }],
  ['somebody turns to its large letters', { full: 'focus' as const, style: { fontSize: 40 } }],
  ['somebody clicks into what can only be read', { readOnly: true }],
  ['somebody who saves data turns to it', {}],
])('does not load Monaco until %s, and moves no letter then', async (_when, props) => {
  if (Object.keys(props).length === 0)
    vi.stubGlobal('navigator', { connection: { saveData: true }, platform: '' })
  await render(<JsonEditor label="Map" defaultValue="[1]" {...props} />)
  await untilStatus('Valid JSON')
  await pause(700)
  vi.unstubAllGlobals()
  expect(root().dataset['surface']).toBe('plain')
  const left = area().getBoundingClientRect().left + Number.parseFloat(getComputedStyle(area()).paddingLeft)
  await userEvent.click(area())
  await untilFull()
  expect(document.querySelector('.lkje-full .view-lines')!.getBoundingClientRect().left).toBe(left)
  expect(document.activeElement).toBe(box())
})

it('shows a placeholder as long as it has one', async () => {
  const screen = await render(<JsonEditor label="Map" placeholder="Paste here" />)
  await untilFull()
  const shown = () => document.querySelector('.lkje-full .editorPlaceholder')?.textContent ?? ''
  await expect.poll(shown).toBe('Paste here')
  await screen.rerender(<JsonEditor label="Map" />)
  await expect.poll(shown).toBe('')
})

it('opens the search that was requested before Monaco was ready', async () => {
  const ref = createRef<JsonEditorHandle>()
  await render(<JsonEditor ref={ref} label="Map" full="focus" defaultValue="[1]" />)
  await untilTools()
  ref.current!.find()
  await expect.poll(() => document.querySelector('.find-widget.visible'), { timeout: 30_000 }).not.toBeNull()
})

it('translates its faults when the language changes', async () => {
  const german = {
    faults: { 'missing-comma': () => 'Komma fehlt' },
    countErrors: (count: number) => `${count} Fehler`,
  }
  const screen = await render(<JsonEditor label="Map" full={false} defaultValue="[1 2]" />)
  await untilStatus('1 error')
  await screen.rerender(<JsonEditor label="Map" full={false} defaultValue="[1 2]" messages={german} />)
  await untilStatus('1 Fehler')
  await expect.poll(problems).toEqual(['Line 1, column 4: Komma fehlt'])
})

it('lets an input method finish its word before the parent replaces the text', async () => {
  const ref = createRef<JsonEditorHandle>()
  const screen = await render(<JsonEditor ref={ref} label="Map" full={false} value="[1]" />)
  await untilTools()
  area().dispatchEvent(new CompositionEvent('compositionstart'))
  await screen.rerender(<JsonEditor ref={ref} label="Map" full={false} value="[2]" />)
  await pause(400)
  expect(ref.current!.getValue()).toBe('[1]')
  area().dispatchEvent(new CompositionEvent('compositionend'))
  await expect.poll(() => ref.current!.getValue()).toBe('[2]')
})

it('opens UTF-16 without a mark, and of two dropped files none', async () => {
  const ref = await showEditor({ full: false, defaultValue: '[]' })
  expect(await ref.current!.open(new Blob([Uint8Array.from([0x5b, 0, 0xe9, 0, 0x5d, 0])]))).toBe(true)
  expect(ref.current!.getValue()).toBe('[é]')
  const dataTransfer = new DataTransfer()
  for (const name of ['a.json', 'b.json']) dataTransfer.items.add(new File(['[42]'], name))
  area().dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  await untilStatus('One file at a time')
  expect(ref.current!.getValue()).toBe('[é]')
})

it('formats thousands of lines in the textarea at once, and undoes that, then what was typed before, and nothing more', async () => {
  const text = JSON.stringify(Array.from({ length: 1_000 }, (_, id) => ({ id, tags: ['a', 'b'] })))
  const ref = await showEditor({ full: false, defaultValue: text })
  await userEvent.click(area())
  await userEvent.keyboard('{Control>}{End}{/Control}  ')
  const startedAt = performance.now()
  expect(await ref.current!.format()).toBe(true)
  // An insertion that the browser itself could undo takes minutes.
  expect(performance.now() - startedAt).toBeLessThan(20_000)
  const formatted = ref.current!.getValue()
  await userEvent.keyboard('{Control>}z{/Control}')
  expect(ref.current!.getValue()).toBe(`${text}  `)
  await userEvent.keyboard('{Control>}z{/Control}{Control>}z{/Control}{Control>}z{/Control}')
  expect(ref.current!.getValue()).toBe(text)
  for (let step = 0; step < 2; step++) await userEvent.keyboard('{Control>}y{/Control}')
  expect(ref.current!.getValue()).toBe(formatted)
})

it.each(SURFACES)('does not block while a schema takes forever: %s', async (_where, full) => {
  let longest = 0
  let last = performance.now()
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 20)
  await render(
    <JsonEditor
      label="Map"
      full={full}
      schema={{ pattern: '^([\\w.+-]+)+@x$' }}
      defaultValue={`"${'a'.repeat(50)}"`}
    />,
  )
  await expect
    .poll(problems, { timeout: 30_000 })
    .toEqual(['Line 1, column 1: The schema took too long to check'])
  clearInterval(timer)
  expect(status()).toContain('Valid JSON, 1 warning')
  // Without the time limit it would take minutes.
  expect(longest).toBeLessThan(10_000)
})
