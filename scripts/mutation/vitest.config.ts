// The tests that Stryker runs: those of Node and jsdom.
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [react()],
  resolve: { tsconfigPaths: true },
  test: {
    // Tags select the tests of a command; here all tests run.
    strictTags: false,
    testTimeout: 60_000,
    isolate: false,
    restoreMocks: true,
    unstubGlobals: true,
    unstubEnvs: true,
    provide: { reactVersion: '19.3.1', isCompiled: false },
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          include: ['test/node/**/*.test.{ts,tsx}', 'test/{editor,msw,oidc}/**/*.test.ts'],
          // They read the source text, which the mutants change.
          exclude: ['test/node/{code,pages}/**'],
        },
      },
      {
        extends: true,
        test: {
          name: 'dom',
          include: ['test/dom/**/*.test.{ts,tsx}'],
          environment: 'jsdom',
          setupFiles: ['test/setup/dom.ts'],
        },
      },
    ],
  },
})
