// Runs every kind of test: plain Node, jsdom on React 19 and 18.3, real Chromium, the stories and the demo end to end.
import { storybookTest } from '@storybook/addon-vitest/vitest-plugin'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { msw } from 'msw/vite'
import { defineConfig } from 'vitest/config'
import { chromiumLaunchOptions } from './scripts/findChromium.ts'

const isCompiled = process.env['REACT_COMPILER'] === '1'

/** One worker less is the default, which is half of a machine with two cores. */
const EVERY_CORE = { maxWorkers: '100%' }

// Hundreds of cells about what servers answer and what strangers post: once is enough, they are the same for every React.
const ANSWERS = [
  'test/dom/badAnswers.test.tsx',
  'test/dom/secrets.canary.test.tsx',
  'test/dom/windowMessages.test.tsx',
]

const inChromium = {
  enabled: true,
  headless: true,
  screenshotFailures: false,
  provider: playwright({ launchOptions: chromiumLaunchOptions() }),
  instances: [{ browser: 'chromium' as const }],
}

// Vite has to know every dependency beforehand: one that it finds late makes it reload the page with a second copy of React.
const prebundled = [
  '@monaco-editor/react',
  '@tanstack/query-persist-client-core',
  '@tanstack/react-query',
  '@tanstack/react-query-devtools',
  '@tanstack/react-virtual',
  '@testing-library/dom',
  '@testing-library/react',
  '@testing-library/user-event',
  'axe-core',
  'fast-check',
  'jsonrepair',
  'jwt-decode',
  'monaco-editor/editor',
  'monaco-editor/editor/editor.worker',
  'monaco-editor/features/register.all',
  'monaco-editor/languages/features/json/json.worker',
  'monaco-editor/languages/features/json/register',
  'msw',
  'msw/browser',
  'msw/http',
  'ofetch',
  'pubnub',
  'react',
  'react-dom',
  'react-dom/client',
  'react-dom/server.browser',
  'react-hook-form',
  'react-hot-toast/headless',
  'react/jsx-dev-runtime',
  'react/jsx-runtime',
  'vitest-browser-react',
  'vitest-browser-react/pure',
]

export default defineConfig({
  plugins: [react({ compiler: isCompiled }), msw({ mode: 'worker-only' })],
  // The demo and the stories import `latchkey` by name, as an app does.
  resolve: { tsconfigPaths: true },
  optimizeDeps: { include: prebundled },
  test: {
    // Generous, because a busy machine is not a fault; no test waits for it to pass.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What a test waits for has a second otherwise.
    expect: { poll: { timeout: 20_000 } },
    restoreMocks: true,
    unstubGlobals: true,
    unstubEnvs: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          ...EVERY_CORE,
          environment: 'node',
          include: ['test/node/**/*.test.{ts,tsx}', 'test/msw/**/*.test.ts', 'test/editor/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'dom',
          ...EVERY_CORE,
          provide: { reactVersion: '19.3.1', isCompiled },
          environment: 'jsdom',
          include: ['test/dom/**/*.test.{ts,tsx}', 'examples/**/*.test.tsx'],
          exclude: isCompiled ? ANSWERS : [],
          setupFiles: ['test/setup/dom.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'react18',
          ...EVERY_CORE,
          provide: { reactVersion: '18.3.1', isCompiled },
          environment: 'jsdom',
          include: ['test/dom/**/*.test.{ts,tsx}'],
          exclude: ANSWERS,
          setupFiles: ['test/setup/dom.ts'],
          pool: 'forks',
          execArgv: ['--import', './test/setup/react18.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.{ts,tsx}'],
          setupFiles: ['test/setup/browser.ts'],
          testTimeout: 60_000,
          browser: inChromium,
        },
      },
      {
        extends: true,
        plugins: [storybookTest({ configDir: '.storybook' })],
        test: {
          name: 'storybook',
          setupFiles: ['test/setup/stories.ts'],
          testTimeout: 60_000,
          browser: inChromium,
        },
      },
      {
        extends: true,
        test: {
          name: 'quickstart',
          environment: 'node',
          include: ['test/quickStart/**/*.test.ts'],
          testTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          environment: 'node',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/e2e/buildApp.ts'],
          ...EVERY_CORE,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
