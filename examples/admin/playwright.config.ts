// Builds nothing by itself: Vite serves the app, and LATCHKEY_CHROMIUM may name the browser.
import { defineConfig } from 'playwright/test'

const executablePath = process.env['LATCHKEY_CHROMIUM']

export default defineConfig({
  testDir: 'test',
  testMatch: '*.e2e.ts',
  outputDir: '../../.cache/example-results',
  use: {
    baseURL: 'http://localhost:5199',
    launchOptions: executablePath ? { executablePath } : {},
  },
  webServer: { command: 'vite --port 5199 --strictPort', url: 'http://localhost:5199' },
})
