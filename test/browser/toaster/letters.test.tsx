// Toasts and devtools follow the browser's font size, also in a narrow window and in dark mode.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { LatchkeyDevtools } from '../../../src/devtools/index.ts'
import { createAuth } from '../../../src/index.ts'
import { AuthToaster } from '../../../src/toaster/AuthToaster.tsx'
import { notify } from '../../../src/toaster/notify.ts'

const root = document.documentElement

afterEach(() => {
  notify.dismiss()
  root.removeAttribute('style')
})

const fontOf = (selector: string) => getComputedStyle(document.querySelector(selector)!).fontSize

describe.each([
  ['10px', '14px', '13px'],
  ['16px', '14px', '13px'],
  ['32px', '28px', '26px'],
])('where a page’s font size is %s', (rem, toast, devtools) => {
  it(`a toast has ${toast}, the devtools have ${devtools}, and nothing is wider than the window`, async () => {
    await page.viewport(320, 640)
    root.style.cssText = `font-size: ${rem}; color-scheme: dark; background: Canvas`
    const auth = createAuth({ authHost: 'https://auth.example.com', clientId: 'admin', scopes: ['openid'] })
    await render(
      <QueryClientProvider client={new QueryClient()}>
        <AuthToaster />
        <LatchkeyDevtools auth={auth} initialIsOpen />
      </QueryClientProvider>,
    )
    notify.error('The link map was not saved, because somebody else was first', {
      action: { label: 'Read it again', onClick: () => undefined },
    })
    await expect.poll(() => document.querySelectorAll('.latchkey-toast').length).toBe(1)
    expect([fontOf('.latchkey-toast'), fontOf('.latchkey-dt')]).toEqual([toast, devtools])
    const lowest = () => document.querySelector('.latchkey-toast')!.getBoundingClientRect().bottom
    const panel = document.querySelector('.latchkey-dt-float')!.getBoundingClientRect()
    await expect.poll(lowest).toBeLessThanOrEqual(panel.top)
    expect(root.scrollWidth).toBeLessThanOrEqual(320)
    expect(document.querySelector('.latchkey-toasts')!.getBoundingClientRect().right).toBeLessThanOrEqual(320)
  })
})
