// Prepares every jsdom test: StrictMode around each render, an empty page without toasts after each test.
import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'
import { toastQueue } from '../../src/toaster/toastQueue.ts'

declare global {
  var IS_REACT_ACT_ENVIRONMENT: boolean
}

globalThis.IS_REACT_ACT_ENVIRONMENT = true

// A test that counts renders passes { reactStrictMode: false } to its own render call.
// A busy machine is not a fault.
configure({ reactStrictMode: true, asyncUtilTimeout: 20_000 })

afterEach(() => {
  cleanup()
  // The one state that the source keeps for a whole page: what a file leaves there, the next would find.
  toastQueue.clear()
})
