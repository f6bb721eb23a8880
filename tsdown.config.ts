// Builds the package: a file for the core, one for its queries, one for React, and one for each thing that loads later.
import { defineConfig, type UserConfig } from 'tsdown'
import { readQuickStart } from './scripts/quickStartFiles.ts'
import { buildEarlyScript, emitEarlyScript } from './scripts/earlyScript.ts'

const shared = {
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  dts: false,
  sourcemap: true,
  tsconfig: 'tsconfig.build.json',
  deps: { neverBundle: true },
  // Which file begins with it is said below.
  checks: { moduleLevelDirective: false, bundlerTimings: false },
  failOnWarn: true,
  clean: false,
} satisfies UserConfig

const named = { minifyInternalExports: false, chunkFileNames: '[name].js' }

/** Of the package's own files, those that a server must take for components: Next and others read it at the head of a file. */
const isForReact = (name: string) =>
  /^(?:react|toaster|routers|testing|devtools|JsonEditor)(?:$|\/index)/.test(name)

/** Entries that a page takes beside the main one; they share its files. */
const BESIDE = ['oidc', 'pubnub', 'tanstack-query', 'testing', 'devtools', 'tanstack-router', 'react-router']
const entriesOf = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [`${name}/index`, `src/${name}/index.ts`]))

/** Entries for Node, each a file of its own: no browser loads a byte of them. */
const FOR_NODE = ['vite', 'server', 'testing/playwright']
/** The program of `npx latchkey`: nobody imports it. */
const PROGRAM = 'cli'

const declarations: UserConfig = {
  ...shared,
  entry: {
    index: 'src/index.ts',
    ...entriesOf([...BESIDE, 'early', 'front-channel', 'editor', ...FOR_NODE]),
  },
  dts: { sourcemap: false, emitDtsOnly: true },
  outputOptions: named,
  publint: true,
  // Classic scripts, not modules: nobody imports them.
  attw: { profile: 'esm-only', excludeEntrypoints: ['early/inline.js', 'early/oidc.js'] },
}

/** The first scripts of a page as texts, for what puts them into one. */
const earlyTexts = async () =>
  JSON.stringify({
    inline: (await buildEarlyScript()).text,
    oidc: (await buildEarlyScript('oidc')).text,
  })

export default defineConfig(async ({ dts }): Promise<UserConfig[]> => {
  const texts = await earlyTexts()
  return [
    {
      ...shared,
      clean: true,
      entry: { index: 'src/index.ts', ...entriesOf(BESIDE) },
      // Constants stand where they are used: not every bundler of an app does that. The files stay readable.
      inputOptions: { optimization: { inlineConst: { mode: 'all', pass: 3 } } },
      minify: {
        compress: { joinVars: false, sequences: false },
        mangle: false,
        codegen: { removeWhitespace: false },
      },
      plugins: [emitEarlyScript('index', 'early/inline.js'), emitEarlyScript('oidc', 'early/oidc.js')],
      outputOptions: {
        ...named,
        banner: ({ name }) => (isForReact(name) ? "'use client'" : ''),
        codeSplitting: {
          // Each with all that it imports and that none before it has. What loads later imports from the core alone, so that
          // a bundler cuts no third file out of what they share.
          groups: [
            {
              name: 'core',
              test: /src[\\/](?:base[\\/]popupConstants|session[\\/]createAuth|protocol[\\/](?:realtimeTransport|resourceTokens))\.ts$/,
              priority: 3,
            },
            // With what a messaging service's adapter shares with it: the two load at once.
            {
              name: 'channels',
              test: /src[\\/](?:realtime[\\/](?:channels|realtimeEvents)|base[\\/]namedTimers)\.ts$/,
              priority: 2,
            },
            { name: 'queries', test: /src[\\/]queries[\\/]/, priority: 2 },
            { name: 'react', test: /src[\\/](?:provider|hooks)[\\/]/, priority: 1 },
            // Apart, because the package that it uses is not marked as free of side effects.
            { name: 'toaster', test: /src[\\/]toaster[\\/]/ },
            { name: 'routers', test: /src[\\/]routers[\\/]/ },
          ],
        },
      },
    },
    // Each whole in itself: the first script of a page waits for no other file, a page in a frame is small, and a worker of the
    // editor loads none.
    ...[
      'early/index',
      'front-channel/index',
      'editor/check.worker',
      'editor/monaco/editor.worker',
      'editor/monaco/json.worker',
    ].map((entry): UserConfig => ({ ...shared, entry: { [entry]: `src/${entry}.ts` } })),
    ...[...FOR_NODE, PROGRAM].map((name): UserConfig => ({
      ...shared,
      platform: 'node',
      fixedExtension: false,
      define: { EARLY_TEXTS: texts, QUICK_START: JSON.stringify(readQuickStart()) },
      ...(name === PROGRAM && { outputOptions: { banner: '#!/usr/bin/env node' } }),
      entry: { [`${name}/index`]: `src/${name}/index.ts` },
    })),
    {
      ...shared,
      entry: { 'editor/index': 'src/editor/index.ts' },
      outputOptions: {
        ...named,
        chunkFileNames: ({ name }) =>
          name === 'FullEditor' ? 'editor/monaco/[name].js' : 'editor/[name].js',
        banner: ({ name }) => (isForReact(name) ? "'use client'" : ''),
        codeSplitting: {
          // Apart, because an app's bundler takes a file whole: the first key of the editor waits for the first one, not for
          // the check that `parseJson` and the tools share.
          groups: [
            { name: 'JsonEditor', test: /src[\\/]editor[\\/]JsonEditor\.tsx$/, priority: 2 },
            { name: 'parseJson', test: /src[\\/]editor[\\/]parseJson\.ts$/, priority: 1 },
          ],
        },
      },
    },
    // Left out where the command asks for none: its files would take the place of those above.
    ...(dts === false ? [] : [declarations]),
  ]
})
