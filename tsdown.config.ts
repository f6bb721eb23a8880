// Builds the package: one file out for every file in, so that "use client" and lazy chunks stay where they are.
import { defineConfig } from 'tsdown'
import { emitEarlyScript } from './scripts/earlyScript.ts'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    'oidc/index': 'src/oidc/index.ts',
    'early/index': 'src/early/index.ts',
    'worker/index': 'src/worker/index.ts',
    'editor/index': 'src/editor/index.ts',
    'testing/index': 'src/testing/index.ts',
    'devtools/index': 'src/devtools/index.ts',
    'editor/check.worker': 'src/editor/check.worker.ts',
    'editor/monaco/editor.worker': 'src/editor/monaco/editor.worker.ts',
    'editor/monaco/json.worker': 'src/editor/monaco/json.worker.ts',
  },
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  dts: { sourcemap: false },
  sourcemap: true,
  unbundle: true,
  clean: true,
  tsconfig: 'tsconfig.build.json',
  deps: { neverBundle: true },
  checks: { moduleLevelDirective: false },
  plugins: [emitEarlyScript('index', 'early/inline.js'), emitEarlyScript('oidc', 'early/oidc.js')],
  publint: true,
  // Classic scripts, not modules: nobody imports them.
  attw: { profile: 'esm-only', excludeEntrypoints: ['early/inline.js', 'early/oidc.js'] },
  failOnWarn: true,
})
