// What AuthToaster and notify promise: plain texts in a corner that keyboard, mouse and screen reader can deal with.
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { toast, Toaster } from 'react-hot-toast'
import { toast as headlessToast, useToasterStore } from 'react-hot-toast/headless'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AuthToaster } from '../../../src/toaster/AuthToaster.tsx'
import { notify } from '../../../src/toaster/notify.ts'
import { TOASTER_ID, toastQueue } from '../../../src/toaster/toastQueue.ts'
import { cleanText } from '../../../src/protocol/redaction.ts'
import { holdToastClock, saidTexts, showScene, toastTexts } from './toastsScene.tsx'

holdToastClock()
afterEach(() => act(() => toastQueue.clear()))

const say = (use: () => unknown) => act(() => void use())

describe('showing', () => {
  it('works without an AuthProvider and without a QueryClientProvider', () => {
    render(<AuthToaster />)
    say(() => notify.success('saved'))
    expect(toastTexts()).toEqual(['saved'])
  })

  it('leaves no alert and no status on the page for the tests of an app to find, before, while and after it shows', async () => {
    const { advance } = await showScene(<AuthToaster />)
    const found = () => [...screen.queryAllByRole('alert'), ...screen.queryAllByRole('status')]
    expect(found()).toEqual([])
    say(() => [notify.error('failed'), notify.success('saved')])
    expect(toastTexts()).toEqual(['failed', 'saved'])
    expect(found()).toEqual([])
    await advance(20_000)
    expect(toastTexts()).toEqual([])
    expect(found()).toEqual([])
  })

  it('shows what was said before the toaster was there', () => {
    notify.info('early')
    render(<AuthToaster />)
    expect(toastTexts()).toEqual(['early'])
  })

  it('draws once when it is rendered twice, and goes on in the second one when the first one goes', () => {
    const Two = ({ isFirst }: { isFirst: boolean }) => (
      <>
        {isFirst && <AuthToaster />}
        <AuthToaster />
      </>
    )
    const { rerender } = render(<Two isFirst />)
    say(() => notify.info('a'))
    expect(toastTexts()).toEqual(['a'])
    rerender(<Two isFirst={false} />)
    expect(toastTexts()).toEqual(['a'])
  })

  it('runs the action of a toast and closes it', async () => {
    const { advance } = await showScene(<AuthToaster />)
    let count = 0
    say(() => notify.info('Draft kept', { action: { label: 'Restore', onClick: () => (count += 1) } }))
    await advance(60_000)
    fireEvent.click(screen.getByRole('button', { name: 'Restore' }))
    await advance(200)
    expect(count).toBe(1)
    expect(toastTexts()).toEqual([])
  })

  it('closes all that is shown and all that waits', async () => {
    const { advance } = await showScene(<AuthToaster />)
    say(() => ['a', 'b', 'c', 'd', 'e'].forEach((text) => notify.info(text)))
    fireEvent.click(screen.getByRole('button', { name: 'Close all' }))
    await advance(200)
    expect(document.querySelector('.latchkey-toast')).toBeNull()
    say(() => notify.dismiss())
    say(() => notify.info('later'))
    expect(toastTexts()).toEqual(['later'])
  })

  it('shows nothing on a server, and says nothing there either', () => {
    expect(renderToString(<AuthToaster />)).not.toContain('section')
  })
})

describe('text', () => {
  it('is text, never HTML', async () => {
    await showScene(<AuthToaster />)
    say(() => notify.error('<img src=x onerror="alert(1)"><b>bold</b>'))
    expect(document.querySelector('.latchkey-toast img, .latchkey-toast span b')).toBeNull()
    expect(toastTexts()).toEqual(['<img src=x onerror="alert(1)"><b>bold</b>'])
  })

  it('loses control characters, overrides of the reading direction and lone halves of characters', () => {
    expect(cleanText('a\u0000b\u202Ec\u2066d\u2069e\uD800f\u001B[31mg')).toBe('abcdef[31mg')
    expect(cleanText('  line\r\n\tnext\u2028line  ')).toBe('line next line')
    expect(cleanText('שלום \u200fעולם')).toBe('שלום \u200fעולם')
  })

  it('is cut at 300 characters, a megabyte too, and never in the middle of a character', () => {
    expect(cleanText('x'.repeat(301))).toBe(`${'x'.repeat(299)}…`)
    expect(cleanText('x'.repeat(1_000_000))).toHaveLength(300)
    expect(cleanText(`${'x'.repeat(298)}😀😀`)).toBe(`${'x'.repeat(298)}…`)
  })

  it('loses what looks like a token, hidden between control characters too', () => {
    const token = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.c2lnbmF0dXJl'
    expect(cleanText(`got ${token}`)).toBe('got [redacted]')
    expect(cleanText(`got ${token.replace('J', 'J\u0000')}`)).toBe('got [redacted]')
  })

  it('shows no toast for a text of which nothing can be seen', async () => {
    await showScene(<AuthToaster />)
    say(() => notify.info('\u0000 \u202E'))
    expect(toastTexts()).toEqual([])
  })

  it.each([undefined, null, 7, {}, new Error('no')])('refuses %s with a clear error', (text) => {
    expect(() => notify.error(text as never)).toThrow('A toast needs a text')
  })
})

describe('screen readers', () => {
  it('has its live regions before there is anything to say', async () => {
    await showScene(<AuthToaster />)
    expect(saidTexts()).toEqual({ polite: '', assertive: '' })
  })

  it('says errors at once and the others when there is a pause, and has each text once', async () => {
    await showScene(<AuthToaster />)
    const region = document.querySelector('ol[aria-live=assertive]')
    say(() => {
      notify.success('saved')
      notify.error('failed')
    })
    expect(saidTexts()).toEqual({ polite: 'saved', assertive: 'failed' })
    expect(document.querySelector('ol[aria-live=assertive]')).toBe(region)
    expect(screen.getByText('saved')).toBeDefined()
    expect(screen.getByText('failed')).toBeDefined()
  })

  it('says the text, and neither its count nor its buttons', async () => {
    await showScene(<AuthToaster />)
    const action = { label: 'Try again', onClick() {} }
    say(() => [notify.error('failed', { action }), notify.error('failed', { action })])
    for (const silent of [screen.getByText('×2'), ...screen.getAllByRole('button')])
      expect(silent.getAttribute('aria-live')).toBe('off')
  })

  it('names every button, and is free of faults that axe knows', async () => {
    await showScene(<AuthToaster />)
    say(() => {
      notify.error('failed', { action: { label: 'Try again', onClick() {} } })
      notify.loading('saving')
    })
    expect(screen.getByRole('region', { name: 'Notifications' })).toBeDefined()
    expect(screen.getByRole('button', { name: 'Close: failed' })).toBeDefined()
    const { violations } = await axe.run(document.body, { rules: { region: { enabled: false } } })
    expect(violations).toEqual([])
  })
})

describe('keyboard and mouse', () => {
  it('closes the focused toast with Escape, goes on to the next one, and back to where the focus was', async () => {
    const user = userEvent.setup()
    const { advance } = await showScene(
      <>
        <input aria-label="name" />
        <AuthToaster />
      </>,
    )
    say(() => ['a', 'b'].forEach((text) => notify.info(text)))
    await user.click(screen.getByLabelText('name'))
    await user.tab()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Close: a' }))
    await user.keyboard('{Escape}')
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Close: b' }))
    await user.keyboard('{Escape}')
    expect(document.activeElement).toBe(screen.getByLabelText('name'))
    await advance(200)
    expect(toastTexts()).toEqual([])
  })

  it('keeps Escape from closing the dialog that the app has open', async () => {
    const user = userEvent.setup()
    let count = 0
    const onKeyDown = () => (count += 1)
    document.addEventListener('keydown', onKeyDown)
    await showScene(<AuthToaster />)
    say(() => notify.info('a'))
    act(() => screen.getByRole('button', { name: 'Close: a' }).focus())
    await user.keyboard('{Escape}')
    document.removeEventListener('keydown', onKeyDown)
    expect(count).toBe(0)
  })

  /** However long that is; then for its 5 seconds. */
  async function expectToStayUntil(happens: () => unknown, advance: (ms: number) => Promise<void>) {
    await advance(60_000)
    expect(toastTexts()).toEqual(['a'])
    await happens()
    await advance(5000)
    expect(toastTexts()).toEqual([])
  }

  it('does not go while the keyboard is in it', async () => {
    const user = userEvent.setup()
    const { advance } = await showScene(<AuthToaster />)
    say(() => notify.info('a'))
    await user.tab()
    await expectToStayUntil(() => user.tab(), advance)
  })

  it('goes on after the toast under the mouse was closed', async () => {
    const { advance } = await showScene(<AuthToaster />)
    say(() => notify.info('a'))
    fireEvent.pointerEnter(screen.getByRole('region'), { pointerType: 'mouse' })
    fireEvent.click(screen.getByRole('button', { name: 'Close: a' }))
    await advance(200)
    say(() => notify.info('b'))
    await advance(5000)
    expect(toastTexts()).toEqual([])
  })

  it('goes on when the mouse is seen elsewhere, though its leaving was never told', async () => {
    const { advance } = await showScene(<AuthToaster />)
    say(() => notify.info('a'))
    const region = screen.getByRole('region')
    fireEvent.pointerEnter(region, { pointerType: 'mouse' })
    fireEvent.pointerMove(region)
    await expectToStayUntil(() => fireEvent.pointerMove(document.body), advance)
  })

  it('is not held by a finger', async () => {
    const { advance } = await showScene(<AuthToaster />)
    say(() => notify.info('a'))
    fireEvent.pointerEnter(screen.getByRole('region'), { pointerType: 'touch' })
    await advance(5000)
    expect(toastTexts()).toEqual([])
  })

  it('does not go while the page is hidden', async () => {
    const { host, advance } = await showScene(<AuthToaster />)
    say(() => notify.info('a'))
    act(() => host.setVisible(false))
    await advance(60_000)
    expect(toastTexts()).toEqual(['a'])
    act(() => host.setVisible(true))
    await advance(5000)
    expect(toastTexts()).toEqual([])
  })

  it('goes on for the next toaster, when this one goes from a hidden page', async () => {
    const { host, advance, unmount } = await showScene(<AuthToaster />)
    act(() => host.setVisible(false))
    unmount()
    await advance(60_000)
    say(() => notify.info('a'))
    render(<AuthToaster />)
    await advance(4000)
    expect(toastTexts()).toEqual(['a'])
    await advance(1000)
    expect(toastTexts()).toEqual([])
  })
})

describe("an app's own toasts", () => {
  // react-hot-toast's own toaster asks for it, and jsdom has none.
  beforeEach(() => vi.stubGlobal('matchMedia', () => ({ matches: true })))
  afterEach(() => act(() => toast.remove()))

  it('are left alone by ours: neither shown, nor counted, nor dismissed', async () => {
    await showScene(
      <>
        <AuthToaster />
        <Toaster />
      </>,
    )
    say(() => {
      toast('of the app')
      ;['a', 'b', 'c'].forEach((text) => notify.info(text))
    })
    expect(toastTexts()).toEqual(['a', 'b', 'c'])
    say(() => notify.dismiss())
    expect(screen.getByText('of the app')).toBeDefined()
  })

  it('do not take ours along when the app dismisses all of its own', async () => {
    await showScene(
      <>
        <AuthToaster />
        <Toaster />
      </>,
    )
    say(() => notify.info('ours'))
    say(() => toast.dismiss())
    expect(toastTexts()).toEqual(['ours'])
  })

  it('may share the headless store: an app that dismisses everything in it frees the place too', async () => {
    const seen: string[] = []
    const Foreign = () => {
      const { toasts } = useToasterStore({}, 'of the app')
      seen.push(...toasts.map(({ id }) => id))
      return null
    }
    const { advance } = await showScene(
      <>
        <AuthToaster />
        <Foreign />
      </>,
    )
    say(() => ['a', 'b', 'c'].forEach((text) => notify.loading(text)))
    expect(seen).toEqual([])
    say(() => headlessToast.dismiss())
    await advance(200)
    say(() => notify.info('next'))
    expect(toastTexts()).toEqual(['next'])
    expect(TOASTER_ID).toBe('latchkey')
  })
})

describe('mounting', () => {
  it('leaves no timer and no listener behind, in StrictMode too', async () => {
    const { host, unmount, settle } = await showScene(
      <StrictMode>
        <AuthToaster />
      </StrictMode>,
    )
    say(() => ['a', 'b', 'c', 'd'].forEach((text) => notify.info(text)))
    unmount()
    await settle()
    expect(host.counts()).toMatchObject({ timers: 0, listeners: 0 })
    expect(document.querySelector('.latchkey-toast')).toBeNull()
    expect(document.head.querySelector('style')?.textContent ?? '').not.toContain('latchkey')
  })

  it('has replaceable texts, also by functions, and keeps the English one where a function fails', async () => {
    await showScene(<AuthToaster />, {
      config: {
        messages: {
          toasts: 'Meldingen',
          closeToast: ({ text }) => `Sluiten: ${text}`,
          waitingToasts: () => {
            throw new Error('no such plural')
          },
        },
      },
    })
    say(() => ['a', 'b', 'c', 'd'].forEach((text) => notify.info(text)))
    expect(screen.getByRole('region', { name: 'Meldingen' })).toBeDefined()
    expect(screen.getByRole('button', { name: 'Sluiten: a' })).toBeDefined()
    expect(screen.getByText(/^1 more/)).toBeDefined()
  })
})
