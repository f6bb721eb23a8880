// What every story gets: StrictMode, a light or dark page, and accessibility faults that fail its test.
import addonA11y from '@storybook/addon-a11y'
import addonDocs from '@storybook/addon-docs'
import { definePreview } from '@storybook/react-vite'
import { StrictMode, useLayoutEffect } from 'react'
import type { ReactNode } from 'react'
import { configure } from 'storybook/test'

// Generous, because a busy machine is not a fault.
configure({ asyncUtilTimeout: 20_000 })

/** Colours the page as the toolbar or the story's own `globals: { theme: 'dark' }` says. */
function Page({ theme, children }: { theme: unknown; children: ReactNode }) {
  useLayoutEffect(() => {
    const { style, dataset } = document.documentElement
    style.colorScheme = String(theme)
    style.backgroundColor = 'Canvas'
    style.color = 'CanvasText'
    dataset['theme'] = String(theme)
  }, [theme])
  return children
}

export default definePreview({
  addons: [addonDocs(), addonA11y()],
  // A docs page beside the stories of each file, with its page of docs/ at the head.
  tags: ['autodocs'],
  parameters: {
    layout: 'padded',
    // A page of its own for each story there: two sessions on one page would be told of each other's answers.
    docs: { story: { inline: false, height: '260px' } },
    a11y: { test: 'error' },
    backgrounds: { disable: true },
    options: { storySort: { method: 'alphabetical' } },
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
