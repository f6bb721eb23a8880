// Builds nothing by itself: Vite serves the app on a free port, and LATCHKEY_CHROMIUM may name the browser.
import { defineConfig } from 'playwright/test'

const executablePath = process.env['LATCHKEY_CHROMIUM']

export default defineConfig({
  testDir: 'test',
  testMatch: '*.e2e.ts',
  outputDir: '../../.cache/example-results',
  // A busy machine is not a fault.
  expect: { timeout: 20_000 },
  use: {
    baseURL: `http://localhost:${process.env['EXAMPLE_PORT']}`,
    launchOptions: executablePath ? { executablePath } : {},
  },
  webServer: {
    command: 'vite --port 0',
    // What Vite says is read: the name of the group becomes a variable, EXAMPLE_PORT.
    wait: { stdout: /http:\/\/localhost:(?<example_port>\d+)/ },
    env: { NO_COLOR: '1' },
  },
})
