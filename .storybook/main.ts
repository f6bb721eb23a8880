// Says where the stories are and what Storybook brings along; nothing here calls home.
import { defineMain } from '@storybook/react-vite/node'
import { msw } from 'msw/vite'

export default defineMain({
  stories: ['../stories/Welcome.mdx', '../stories/reference/*.mdx', '../stories/**/*.stories.tsx'],
  // The reference pages link to the other pages of docs/.
  staticDirs: [{ from: '../docs', to: '/docs' }],
  addons: ['@storybook/addon-docs', '@storybook/addon-a11y', '@storybook/addon-vitest'],
  framework: '@storybook/react-vite',
  core: { disableTelemetry: true, disableWhatsNewNotifications: true },
  viteFinal: (config) => ({
    ...config,
    resolve: { ...config.resolve, tsconfigPaths: true },
    plugins: [...(config.plugins ?? []), msw({ mode: 'worker-only' })],
  }),
})
