// How the tests run in the tree with the mistakes: one file after the other, with the runner that wakes them.
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

const shared = {
  testTimeout: 30_000,
  hookTimeout: 60_000,
  restoreMocks: true,
  unstubGlobals: true,
  unstubEnvs: true,
  runner: './scripts/mutation/runner.ts',
  provide: { reactVersion: '19.3.1', isCompiled: false },
}

export default defineConfig({
  plugins: [react()],
  resolve: { tsconfigPaths: true },
  test: {
    fileParallelism: false,
    dangerouslyIgnoreUnhandledErrors: true,
    // Tags say which command runs a test; here all of them do.
    strictTags: false,
    projects: [
      {
        extends: true,
        test: {
          ...shared,
          name: 'node',
          environment: 'node',
          include: ['test/{node,oidc,editor,msw}/**/*.test.{ts,tsx}'],
        },
      },
      {
        extends: true,
        test: {
          ...shared,
          name: 'dom',
          environment: 'jsdom',
          include: ['test/dom/**/*.test.{ts,tsx}'],
          setupFiles: ['test/setup/dom.ts'],
        },
      },
    ],
  },
})
