// What every story gets: StrictMode, a light or dark page, and accessibility faults that fail its test.
import addonA11y from '@storybook/addon-a11y'
import addonDocs from '@storybook/addon-docs'
import { definePreview } from '@storybook/react-vite'
import { timeoutManager } from '@tanstack/react-query'
import { StrictMode, useLayoutEffect } from 'react'
import type { ReactNode } from 'react'
import { configure } from 'storybook/test'
import { withControl } from './controls.ts'
import '../demo/app/firstScreen.css'
import '../demo/app/app.css'

// Generous, because a busy machine is not a fault.
configure({ asyncUtilTimeout: 20_000 })

// A read is repeated at once: nobody who looks at a story waits seconds for its error. Longer times stay as they are.
const LONGEST_REPEAT_MS = 5_000
timeoutManager.setTimeoutProvider({
  setTimeout: (callback, delayMs) => setTimeout(callback, delayMs <= LONGEST_REPEAT_MS ? 0 : delayMs),
  clearTimeout: (timer: ReturnType<typeof setTimeout> | undefined) => clearTimeout(timer),
  setInterval: (callback, delayMs) => setInterval(callback, delayMs),
  clearInterval: (timer: ReturnType<typeof setInterval> | undefined) => clearInterval(timer),
})

// On a docs page stories stand in frames: what one of them focuses must not scroll the reader away.
if (window.frameElement?.ownerDocument.location.search.includes('viewMode=docs')) {
  const { focus } = HTMLElement.prototype
  HTMLElement.prototype.focus = function focusInPlace(options) {
    focus.call(this, { ...options, preventScroll: true })
  }
}

/** Colours the page as the toolbar or the story's own `globals: { theme: 'dark' }` says. */
function Page({ theme, children }: { theme: unknown; children: ReactNode }) {
  useLayoutEffect(() => {
    const { style, dataset } = document.documentElement
    style.colorScheme = String(theme)
    dataset['theme'] = String(theme)
  }, [theme])
  return children
}

export default definePreview({
  addons: [addonDocs(), addonA11y()],
  argTypesEnhancers: [
    ({ argTypes }) =>
      Object.fromEntries(Object.entries(argTypes).map(([name, prop]) => [name, withControl(prop)])),
  ],
  // All stories of a file on one page; each hook and component has its own page in stories/reference/.
  tags: ['autodocs'],
  parameters: {
    layout: 'padded',
    // With each control its type and what it does.
    controls: { expanded: true },
    // A page of its own for each story there: two sessions on one page would be told of each other's answers.
    docs: { story: { inline: false, height: '260px' } },
    a11y: { test: 'error' },
    backgrounds: { disable: true },
    options: {
      storySort: {
        method: 'alphabetical',
        order: ['Welcome', 'Session', 'Authenticated', '*', 'Components', 'Hooks'],
      },
    },
  },
  initialGlobals: { theme: 'light' },
  globalTypes: {
    theme: {
      description: 'Light or dark page',
      toolbar: {
        icon: 'contrast',
        items: [
          { value: 'light', title: 'Light' },
          { value: 'dark', title: 'Dark' },
        ],
        dynamicTitle: true,
      },
    },
  },
  decorators: [
    (Story, { globals }) => (
      <StrictMode>
        <Page theme={globals['theme']}>
          <Story />
        </Page>
      </StrictMode>
    ),
  ],
})
