// Runs every kind of test: plain Node, jsdom on React 19 and 18.3, real Chromium, the stories and the demo end to end.
import { availableParallelism } from 'node:os'
import react from '@vitejs/plugin-react'
import { msw } from 'msw/vite'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { isAskedFor } from './scripts/askedProjects.ts'

/**
 * One worker less is the default, which is half of a machine with two cores. The files of a worker share what they import:
 * the source keeps no state in modules, and a file that leaves something behind is a fault of that file.
 */
const EVERY_CORE = { maxWorkers: '100%', isolate: false }

/**
 * Nearly half of their time these tests wait: a millisecond for each step of a clock turned by hand, and for commands and servers.
 * A look at jsdom costs nothing: what a test polls for is not 50 ms late.
 */
const TWO_MORE = {
  ...EVERY_CORE,
  // Fewer where other tests run beside them.
  maxWorkers: Number(process.env['LATCHKEY_WORKERS'] ?? availableParallelism() + 2),
  expect: { poll: { timeout: 60_000, interval: 10 } },
  setupFiles: ['test/setup/globals.ts'],
}

const DOM_SETUP = ['test/setup/globals.ts', 'test/setup/dom.ts']

const inDom = (name: string) => `test/dom/${name}.test.tsx`

/**
 * What React does differently from version to version, or when it is compiled: components and hooks. What servers send, what
 * caches hold and what a mutation or a window comes to is the same for every React: that runs once.
 */
const COMPONENTS = ['provider/*', 'hooks/*', 'calls/reads', 'realtime/*', 'toaster/*'].map(inDom)

/**
 * Once more with an OpenID Connect provider as the server: what a profile answers differently at start-up, renewal and between
 * tabs. Which session counts, windows, loops and rate limits are the same code for both: `test/oidc` has what a provider adds.
 */
const SESSIONS = [
  'test/node/renewal/{renewal,sessionCheck,tokenLife}.test.ts',
  'test/node/startUp/startUp.test.ts',
  'test/node/tabs/{tabs,tabRenewal,tabsEndings}.test.ts',
]

// The last reads all text of the page, and Monaco keeps there what it has announced.
const FRESH_PAGES = ['editorDrag', 'editorFailure', 'editorWithoutTools', 'provider/changeOfUser'].map(
  (name) => `test/browser/${name}.test.tsx`,
)

/**
 * Vitest rewrites each `import()` so that it can wait for it. To that end it parses the file, Monaco's four megabytes too, with a
 * source map for each letter. It passes over a file in which that has been done, and nothing waits for a dependency's own files.
 * Storybook keeps them in a folder of its own, below `.cache`.
 */
const dependenciesAsTheyAre = (): Plugin => ({
  name: 'dependencies-as-they-are',
  transform: {
    filter: { id: /[\\/]\.(?:vite|cache)[\\/].*[\\/]deps[\\/]/ },
    handler: (code) => ({ code: `${code}\n// wrapDynamicImport`, map: { mappings: '' } }),
  },
})

/** A project that is set up for nothing costs a run part of a second; Storybook's two cost eight. */
const isAsked = (name: string) => isAskedFor(name, process.argv)

/** Playwright and Storybook are loaded by the runs that use them: any other would spend two seconds on it. */
async function loadChromium() {
  const { playwright } = await import('@vitest/browser-playwright')
  const { chromiumLaunchOptions } = await import('./scripts/findChromium.ts')
  const launchOptions = chromiumLaunchOptions()
  return () => playwright({ launchOptions })
}
const chromium = ['browser', 'browser-fresh', 'storybook', 'storybook-dark'].some(isAsked)
  ? await loadChromium()
  : undefined
const storybook = ['storybook', 'storybook-dark'].some(isAsked)
  ? await import('@storybook/addon-vitest/vitest-plugin')
  : undefined

/** An object for each project: Vitest writes names into it. */
const inChromium = () => ({
  enabled: true,
  headless: true,
  screenshotFailures: false,
  ...(chromium && { provider: chromium() }),
  instances: [{ browser: 'chromium' as const }],
})

// Vite has to know every dependency beforehand: one that it finds late makes it reload the page with a second copy of React.
const prebundled = [
  '@cfworker/json-schema',
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
  'monaco-editor/editor/standalone/browser/standaloneServices',
  'monaco-editor/features/register.all',
  'monaco-editor/languages/features/common/lspLanguageFeatures',
  'monaco-editor/languages/features/json/json.worker',
  'monaco-editor/languages/features/json/register',
  'monaco-editor/platform/webWorker/browser/webWorkerService',
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

/** The jsdom tests once more, every component and hook compiled by React Compiler. */
const compiled = {
  extends: true as const,
  plugins: [react({ compiler: true })],
  test: {
    name: 'compiled',
    ...TWO_MORE,
    provide: { reactVersion: '19.3.1', isCompiled: true },
    environment: 'jsdom' as const,
    include: COMPONENTS,
    // The recipes of routers are compiled, too, and run in Chromium. No app compiles what the toaster renders.
    exclude: ['provider/routers', 'toaster/*'].map(inDom),
    setupFiles: DOM_SETUP,
  },
}

/** The jsdom tests once more, on the oldest React. */
const react18 = {
  extends: true as const,
  plugins: [react()],
  test: {
    name: 'react18',
    ...TWO_MORE,
    provide: { reactVersion: '18.3.1', isCompiled: false },
    environment: 'jsdom' as const,
    include: COMPONENTS,
    setupFiles: DOM_SETUP,
    pool: 'forks' as const,
    execArgv: ['--import', './test/setup/react18.ts'],
  },
}

/** What an app renders of each entry, in the other DOM that apps test with. */
const happyDom = {
  extends: true as const,
  plugins: [react()],
  test: {
    name: 'happy-dom',
    ...TWO_MORE,
    provide: { reactVersion: '19.3.1', isCompiled: false },
    environment: 'happy-dom' as const,
    include: ['devtools/devtools', 'editor/editorExamples', 'testing/testAuth', 'toaster/toasts'].map(inDom),
    setupFiles: DOM_SETUP,
  },
}

/** Stories in Chromium, with axe. */
const stories = (name: string, setupFiles: string[], exclude: string[] = []) => ({
  extends: true as const,
  plugins:
    storybook && isAsked(name)
      ? [storybook.storybookTest({ configDir: '.storybook' }), dependenciesAsTheyAre()]
      : [],
  // One page for all files: each would load Storybook anew.
  test: { name, setupFiles, exclude, isolate: false, testTimeout: 300_000, browser: inChromium() },
})

function askedOf<Project extends { test: { name: string } }>(projects: Project[]): Project[] {
  const asked = projects.filter(({ test }) => isAsked(test.name))
  // Vitest says which there are when a name is wrong.
  return asked.length > 0 ? asked : projects
}

export default defineConfig({
  plugins: [msw({ mode: 'worker-only' })],
  // The demo and the stories import `latchkey` by name, as an app does.
  resolve: { tsconfigPaths: true },
  optimizeDeps: { include: prebundled },
  test: {
    // The projects of a run load the same source: what one has made of a file serves the others.
    fsModuleCache: true,
    // Generous, because a busy machine is not a fault; what a test waits for ends sooner, with its name.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What a test waits for has a second otherwise.
    expect: { poll: { timeout: 60_000 } },
    // A file says `// @module-tag thorough`, a test or a group `{ tags: ['thorough'] }`.
    tags: [
      { name: 'thorough', description: 'Left to npm run test:all: built pages, looks, long flows.' },
      {
        name: 'night',
        description: 'Left to npm run test:night: what another test has said, in every combination.',
      },
      {
        name: 'generated',
        description: 'Runs on a tenth of its inputs in npm test, on ten times as many at night.',
      },
    ],
    restoreMocks: true,
    unstubGlobals: true,
    unstubEnvs: true,
    projects: askedOf([
      {
        extends: true,
        plugins: [react()],
        test: {
          name: 'node',
          ...TWO_MORE,
          environment: 'node',
          include: ['test/node/**/*.test.{ts,tsx}', 'test/{msw,editor,oidc}/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'node-oidc',
          ...TWO_MORE,
          provide: { isOpenIdConnect: true },
          environment: 'node',
          include: SESSIONS,
        },
      },
      {
        extends: true,
        plugins: [react()],
        test: {
          name: 'dom',
          ...TWO_MORE,
          provide: { reactVersion: '19.3.1', isCompiled: false },
          environment: 'jsdom',
          include: ['test/dom/**/*.test.{ts,tsx}', 'examples/**/*.test.tsx'],
          setupFiles: DOM_SETUP,
        },
      },
      happyDom,
      compiled,
      react18,
      // All in one page, which loads Monaco once; those that take files away from a page, or drag in it, have one each.
      ...[
        { name: 'browser', isolate: false, exclude: FRESH_PAGES },
        { name: 'browser-fresh', isolate: true, include: FRESH_PAGES },
      ].map((pages) => ({
        extends: true as const,
        plugins: [react(), dependenciesAsTheyAre()],
        test: {
          include: ['test/browser/**/*.test.{ts,tsx}'],
          ...pages,
          setupFiles: ['test/setup/browser.ts'],
          testTimeout: 300_000,
          browser: inChromium(),
        },
      })),
      // Those of the editor, which take long, are left to storybook-dark: it has each story in the light first.
      stories('storybook', [], ['stories/JsonEditor.stories.tsx']),
      stories('storybook-dark', ['test/setup/stories.ts']),
      // The packed package and the built site, each as a step before has made it.
      ...[
        ['quickstart', 'quickStart'],
        ['site', 'docsSite'],
      ].map(([name = '', folder]) => ({
        extends: true as const,
        test: {
          name,
          environment: 'node' as const,
          include: [`test/${folder}/**/*.test.ts`],
          testTimeout: 120_000,
        },
      })),
      {
        extends: true,
        test: {
          name: 'e2e',
          environment: 'node',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/e2e/buildApp.ts'],
          ...EVERY_CORE,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ]),
  },
})
