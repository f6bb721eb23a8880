// What the linter holds the repository to: its rules, and of src/ who may import whom and who may touch the browser.
import { readdirSync } from 'node:fs'
import { defineConfig } from 'oxlint'

type Override = NonNullable<Parameters<typeof defineConfig>[0]['overrides']>[number]

/** From below to above: a file imports its own room or a lower one. */
const STAIRS = ['base', 'protocol', 'session', 'queries', 'provider', 'toaster', 'hooks']
/** Beside session/: knows its types; `session/createAuth.ts` alone knows it, by one door. */
const REALTIME = 'realtime'
/** What a session is made of, of which real time knows nothing. */
const SESSION_INSIDE = ['http', 'signIn', 'tabs', 'signedIn', 'features', 'boot'].map(
  (name) => `session/${name}`,
)
/** Reads how an app is set up; for entries that run in Node. */
const SETUP = 'setup'
/** What the entries for routers share. */
const ROUTERS = 'routers'
const SHARED = [SETUP, ROUTERS]
/** Above the stairs; nothing imports them. The editor imports no other room either. */
const ROUTER_ENTRIES = ['tanstack-router', 'react-router']
const ENTRIES = [
  'testing',
  'devtools',
  'early',
  'front-channel',
  'oidc',
  'pubnub',
  'tanstack-query',
  'vite',
  'server',
  'cli',
].concat(ROUTER_ENTRIES, SHARED)
const EDITOR = 'editor'

const QUERY = '@tanstack/**'
const REACT = ['react', 'react/**', 'react-dom', 'react-dom/**']

/** The packages of a room; `test/node/code/architecture.test.ts` holds those that belong to one file. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  protocol: ['jwt-decode'],
  session: ['ofetch'],
  [REALTIME]: ['pubnub'],
  queries: [QUERY],
  provider: [QUERY, ...REACT],
  toaster: [QUERY, ...REACT, 'react-hot-toast', 'react-hot-toast/**'],
  hooks: [QUERY, ...REACT],
  testing: [QUERY, ...REACT, 'msw', 'msw/**'],
  devtools: [QUERY, ...REACT],
  'tanstack-router': REACT,
  'react-router': REACT,
  [ROUTERS]: REACT,
  early: [],
  'front-channel': [],
  oidc: [],
  pubnub: [],
  'tanstack-query': [],
  vite: ['node:*'],
  cli: ['node:*', 'node:readline/promises'],
  server: ['jose'],
  [SETUP]: ['node:*'],
  [EDITOR]: [
    ...REACT,
    '@monaco-editor/react',
    'monaco-editor',
    'monaco-editor/**',
    'jsonrepair',
    '@cfworker/json-schema',
  ],
}

/** Rooms inside session/, from the bottom; those of one row do not know each other. Files beside them wire or are shared. */
const SESSION_ROOMS = [['platform'], ['http'], ['signIn'], ['tabs'], ['signedIn'], ['features', 'boot']]

/** How a file deep in src/ names another room: from one folder up or more. */
const UP = String.raw`^(?:\.\./)+`

interface Ban {
  readonly regex: string
  readonly message: string
}

function room(files: string, packages: readonly string[] = [], ...bans: Ban[]): Override {
  const foreign = {
    group: ['**', ...['./**', '../**', ...packages].map((allowed) => `!${allowed}`)],
    message: 'This package belongs to another room: see PACKAGES in oxlint.config.ts.',
  }
  // The bans come first: what a group lets pass is not looked at again.
  return { files: [files], rules: { 'no-restricted-imports': ['error', { patterns: [...bans, foreign] }] } }
}

const ALL = [...STAIRS, REALTIME, ...ENTRIES, EDITOR]
// A new room has its rules from its first day.
for (const { name } of readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory()))
  if (!ALL.includes(name)) throw new Error(`src/${name}/ has no place in oxlint.config.ts`)
/** Names rooms by their folders, or one of the files beside them. */
const naming = (from: string, folders: readonly string[], files = ''): string =>
  `${from}(?:${[...folders.map((folder) => `${folder}/`), ...(files === '' ? [] : [`(?:${files})\\.ts`])].join('|')})`
const aboveStep = (name: string, step: number): Ban => ({
  regex: naming(UP, [REALTIME, ...STAIRS.slice(step + 1), ...ENTRIES, EDITOR], 'index'),
  message: `It stands above ${name}/, or is an entry of its own.`,
})
const ISLAND = 'editor/ is an island.'
const OTHER_ENTRY = 'Nothing imports another entry.'
const BESIDE = String.raw`^\./`

const rooms = [
  room('src/index.ts', [QUERY, ...REACT], {
    regex: naming(BESIDE, [...ENTRIES, EDITOR]),
    message: OTHER_ENTRY,
  }),
  ...STAIRS.map((name, step) => room(`src/${name}/**`, PACKAGES[name], aboveStep(name, step))),
  ...SESSION_ROOMS.flatMap((row, floor) =>
    row.map((name) =>
      room(`src/session/${name}/**`, PACKAGES['session'], aboveStep('session', STAIRS.indexOf('session')), {
        regex: naming(
          UP,
          SESSION_ROOMS.slice(floor)
            .flat()
            .filter((other) => other !== name),
          'createAuth',
        ),
        message: `It does not stand below session/${name}/.`,
      }),
    ),
  ),
  room(
    'src/session/createAuth.ts',
    PACKAGES['session'],
    {
      regex: naming(UP, [...STAIRS.slice(3), ...ENTRIES, EDITOR], 'index'),
      message: 'It stands above session/, or is an entry of its own.',
    },
    // The linter's expressions look at nothing ahead: whatever does not begin as the door does.
    { regex: `${UP}${REALTIME}/(?:[^c]|c[^o])`, message: 'The one door of realtime/ is connection.ts.' },
  ),
  room(`src/${REALTIME}/**`, PACKAGES[REALTIME], {
    regex: naming(
      UP,
      [...STAIRS.slice(3), ...ENTRIES, EDITOR, ...SESSION_INSIDE],
      'index|session/createAuth',
    ),
    message: `${REALTIME}/ knows of a session its types alone.`,
  }),
  ...ENTRIES.map((name) =>
    room(`src/${name}/**`, PACKAGES[name], {
      regex: naming(
        UP,
        [...ENTRIES, EDITOR].filter((other) => other !== name && !SHARED.includes(other)),
      ),
      message: OTHER_ENTRY,
    }),
  ),
  room('src/editor/*', PACKAGES[EDITOR], { regex: String.raw`^\.\./`, message: ISLAND }),
  room('src/editor/*/**', PACKAGES[EDITOR], { regex: String.raw`^\.\./\.\./`, message: ISLAND }),
]

/** Of the browser: taken as a port of Platform, so that a test hands in a fake host and turns the clock by hand. */
const HOST =
  `window document globalThis self top parent frames opener location history navigator screen origin
  fetch XMLHttpRequest EventSource WebSocket Worker Notification open close alert confirm prompt postMessage
  setTimeout clearTimeout setInterval clearInterval requestAnimationFrame cancelAnimationFrame requestIdleCallback
  queueMicrotask addEventListener removeEventListener dispatchEvent matchMedia getComputedStyle
  localStorage sessionStorage indexedDB caches cookieStore BroadcastChannel MessageChannel
  performance crypto MutationObserver IntersectionObserver ResizeObserver process`.split(/\s+/)
const CLOCK = [
  { object: 'Date', property: 'now' },
  { object: 'AbortSignal', property: 'timeout' },
]
const CHANCE = { object: 'Math', property: 'random', message: 'Take random bytes from the platform.' }

/** These run in Node. */
const NODE = ['src/setup/**', 'src/vite/**', 'src/server/**', 'src/cli/**', 'src/testing/playwright/**']

const host: Override[] = [
  {
    files: ['src/**'],
    rules: {
      'no-restricted-globals': ['error', ...HOST],
      'no-restricted-properties': ['error', ...CLOCK],
    },
  },
  // Nothing that guards a sign-in is left to weak chance.
  {
    files: ['src/base/**', 'src/protocol/**', 'src/session/**', `src/${REALTIME}/**`],
    rules: { 'no-restricted-properties': ['error', ...CLOCK, CHANCE] },
  },
  // The linter takes the type `typeof fetch` for a use.
  {
    files: ['src/session/**/{platform,fetchTypes,appFetch}.ts', 'src/testing/**'],
    rules: { 'no-restricted-globals': ['error', ...HOST.filter((name) => name !== 'fetch')] },
  },
  {
    files: ['src/session/**/browser*.ts', 'src/early/**', 'src/front-channel/**', 'src/editor/**', ...NODE],
    rules: { 'no-restricted-globals': 'off', 'no-restricted-properties': 'off' },
  },
]

const CODE = { skipBlankLines: true, skipComments: true }

/** A file and a function stay short enough to be held in the head. */
const size: Override[] = [
  {
    files: ['src/**'],
    rules: {
      'max-lines': ['error', { max: 400 }],
      'max-lines-per-function': ['error', { max: 120, ...CODE }],
      'import/no-cycle': ['error', { ignoreTypes: false }],
      'typescript/consistent-type-imports': 'error',
    },
  },
  // Lists are as long as what they list.
  { files: ['src/base/{errors,sessionErrors}.ts', 'src/index.ts'], rules: { 'max-lines': 'off' } },
  // Functions that hold a whole part together, as long as they are today: none grows.
  ...(
    [
      ['src/testing/**', 200],
      // Most of it is markup: decision 40.
      ['src/editor/JsonEditor.tsx', 165],
    ] as const
  ).map(([files, max]): Override => ({
    files: [files],
    rules: { 'max-lines-per-function': ['error', { max, ...CODE }] },
  })),
]

export default defineConfig({
  plugins: ['react', 'jsx-a11y', 'typescript', 'import', 'promise', 'unicorn', 'oxc', 'vitest'],
  jsPlugins: ['@tanstack/eslint-plugin-query'],
  categories: {
    correctness: 'error',
    suspicious: 'error',
    perf: 'error',
  },
  options: {
    typeAware: true,
    denyWarnings: true,
    reportUnusedDisableDirectives: 'error',
  },
  ignorePatterns: [
    'dist',
    'storybook-static',
    'node_modules',
    'coverage',
    '.cache',
    'etc',
    'site',
    // Apps with packages that only the consumers' folder has; npm run test:consumers compiles them.
    'examples/migration',
  ],
  rules: {
    'react/react-in-jsx-scope': 'off',
    'react/rules-of-hooks': 'error',
    'react/exhaustive-deps': 'error',
    'react/error-boundaries': 'error',
    'react/globals': 'error',
    'react/immutability': 'error',
    'react/incompatible-library': 'error',
    'react/no-deriving-state-in-effects': 'error',
    'react/preserve-manual-memoization': 'error',
    'react/purity': 'error',
    'react/refs': 'error',
    'react/set-state-in-effect': 'error',
    'react/set-state-in-render': 'error',
    'react/static-components': 'error',
    'react/use-memo': 'error',
    'react/void-use-memo': 'error',
    'react/rule-suppression': 'error',
    'react/unsupported-syntax': 'error',
    'react/button-has-type': 'error',
    'react/jsx-no-target-blank': 'error',
    'react/jsx-no-useless-fragment': 'error',
    'react/no-danger': 'error',
    'react/exhaustive-effect-dependencies': 'off',
    'react/no-unknown-property': 'error',
    'react/self-closing-comp': 'error',
    'jsx-a11y/interactive-supports-focus': 'off',
    'jsx-a11y/no-noninteractive-element-interactions': 'off',
    'jsx-a11y/prefer-tag-over-role': 'off',
    '@tanstack/query/exhaustive-deps': 'error',
    '@tanstack/query/stable-query-client': 'error',
    '@tanstack/query/no-rest-destructuring': 'error',
    '@tanstack/query/no-unstable-deps': 'error',
    '@tanstack/query/infinite-query-property-order': 'error',
    '@tanstack/query/mutation-property-order': 'error',
    '@tanstack/query/no-void-query-fn': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': [
      'error',
      {
        checksVoidReturn: {
          attributes: false,
        },
      },
    ],
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'off',
    'typescript/no-unsafe-argument': 'error',
    'typescript/no-unsafe-assignment': 'error',
    'typescript/no-unsafe-call': 'error',
    'typescript/no-unsafe-member-access': 'error',
    'typescript/no-unsafe-return': 'error',
    'typescript/only-throw-error': 'error',
    'typescript/prefer-promise-reject-errors': 'error',
    'typescript/return-await': ['error', 'error-handling-correctness-only'],
    'typescript/switch-exhaustiveness-check': [
      'error',
      {
        considerDefaultExhaustiveForUnions: true,
      },
    ],
    'typescript/use-unknown-in-catch-callback-variable': 'error',
    'typescript/prefer-nullish-coalescing': [
      'error',
      {
        ignorePrimitives: {
          string: true,
          boolean: true,
        },
      },
    ],
    'typescript/prefer-includes': 'error',
    'typescript/ban-ts-comment': 'error',
    'typescript/no-deprecated': 'error',
    'typescript/no-import-type-side-effects': 'error',
    'typescript/consistent-type-imports': [
      'error',
      {
        disallowTypeAnnotations: false,
      },
    ],
    'typescript/consistent-return': 'off',
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/unbound-method': 'off',
    eqeqeq: 'error',
    'no-alert': 'error',
    'no-console': 'error',
    'no-else-return': 'error',
    'no-param-reassign': 'error',
    'no-underscore-dangle': 'off',
    'no-var': 'error',
    'no-warning-comments': 'error',
    'no-await-in-loop': 'off',
    'no-control-regex': 'off',
    'object-shorthand': 'error',
    'prefer-const': 'error',
    radix: 'error',
    'import/no-cycle': 'error',
    'import/no-default-export': 'error',
    'import/no-named-as-default-member': 'off',
    'oxc/no-map-spread': 'off',
    'promise/always-return': 'off',
    'unicorn/filename-case': [
      'error',
      {
        cases: {
          camelCase: true,
          pascalCase: true,
        },
      },
    ],
    'unicorn/no-abusive-eslint-disable': 'error',
    'unicorn/prefer-node-protocol': 'error',
    'unicorn/prefer-set-has': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'unicorn/require-post-message-target-origin': 'off',
    'vitest/expect-expect': [
      'error',
      {
        assertFunctionNames: ['expect', 'expect*', 'checkGenerated'],
      },
    ],
    'vitest/no-conditional-tests': 'error',
    'vitest/require-awaited-expect-poll': 'off',
    'vitest/require-mock-type-parameters': 'off',
    'vitest/valid-expect': [
      'error',
      {
        maxArgs: 2,
      },
    ],
    'vitest/valid-title': [
      'error',
      {
        allowArguments: true,
      },
    ],
  },
  overrides: [
    ...rooms,
    ...host,
    ...size,
    {
      files: ['src/protocol/**', 'src/session/**'],
      rules: {
        'react/rules-of-hooks': 'off',
        'react/hooks': 'off',
      },
    },
    {
      files: [
        'src/session/platform/browserPlatform.ts',
        'src/early/{index,beginSession}.ts',
        'src/editor/tools/FullLoader.tsx',
      ],
      rules: {
        'no-console': 'off',
      },
    },
    {
      files: ['src/editor/**'],
      rules: {
        'import/no-unassigned-import': 'off',
        'typescript/no-non-null-assertion': 'off',
      },
    },
    {
      files: ['test/**', 'stories/**', 'demo/**', 'bench/**', 'scripts/**', '*.config.ts', '.storybook/**'],
      rules: {
        'no-console': 'off',
        'import/no-unassigned-import': 'off',
        'typescript/no-unsafe-argument': 'off',
        'typescript/no-unsafe-assignment': 'off',
        'typescript/no-unsafe-call': 'off',
        'typescript/no-unsafe-member-access': 'off',
        'typescript/no-unsafe-return': 'off',
      },
    },
    {
      files: ['*.config.ts', '.storybook/**', 'stories/**', 'demo/**/*.config.ts'],
      rules: {
        'import/no-default-export': 'off',
      },
    },
    {
      files: ['test/**'],
      rules: {
        'no-shadow': 'off',
        'react/globals': 'off',
        'react/immutability': 'off',
        'react/purity': 'off',
        'react/refs': 'off',
        'vitest/no-conditional-expect': 'off',
        'typescript/no-non-null-assertion': 'off',
      },
    },
  ],
})
