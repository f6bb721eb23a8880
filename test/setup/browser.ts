// Prepares every test in Chromium: StrictMode around each render, an empty page after each test.
import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'
import { cleanup as cleanupBrowser, configure as configureBrowser } from 'vitest-browser-react/pure'

// A test that counts renders passes { reactStrictMode: false } to its own render call.
// A busy machine is not a fault.
configure({ reactStrictMode: true, asyncUtilTimeout: 20_000 })
configureBrowser({ reactStrictMode: true })

// By hand: the files share their modules, and each library would clean up after the first file alone.
afterEach(async () => {
  cleanup()
  await cleanupBrowser()
})
