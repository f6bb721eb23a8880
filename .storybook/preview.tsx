// What every story gets: StrictMode, accessibility faults that fail its test, and a page laid out with room around it.
import addonA11y from '@storybook/addon-a11y'
import addonDocs from '@storybook/addon-docs'
import { definePreview } from '@storybook/react-vite'
import { StrictMode } from 'react'

export default definePreview({
  addons: [addonDocs(), addonA11y()],
  parameters: {
    layout: 'padded',
    a11y: { test: 'error' },
    options: { storySort: { method: 'alphabetical' } },
  },
  decorators: [
    (Story) => (
      <StrictMode>
        <Story />
      </StrictMode>
    ),
  ],
})
