// The browser tells that a page is not left after all, by its Navigation API: the platform says so, once and only then.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createBrowserPlatform } from '../../../src/session/platform/browserPlatform.ts'

const navigation = new EventTarget()
const stayed = vi.fn()
let stop = () => {}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('navigation', navigation)
  stop = createBrowserPlatform().on('stayed', stayed)
})
afterEach(() => {
  stop()
  stayed.mockClear()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** The browser begins to navigate; the result ends that. */
function navigate() {
  const ending = new AbortController()
  navigation.dispatchEvent(Object.assign(new Event('navigate'), { signal: ending.signal }))
  return () => ending.abort()
}
const leave = () => createBrowserPlatform().navigate(`${location.href.split('#')[0]}#left`)

it('a navigation that is stopped leaves the user on the page', () => {
  leave()
  const stopNavigation = navigate()
  vi.runAllTimers()
  expect(stayed).not.toHaveBeenCalled()
  stopNavigation()
  vi.runAllTimers()
  expect(stayed).toHaveBeenCalledOnce()
})

it('a router that changes the URL meanwhile stops it, too, and the page is left all the same', () => {
  leave()
  navigate()()
  navigate()
  vi.runAllTimers()
  expect(stayed).not.toHaveBeenCalled()
})

it('a navigation of the app itself is none of latchkey', () => {
  navigate()()
  vi.runAllTimers()
  expect(stayed).not.toHaveBeenCalled()
})

it('without a Navigation API nothing is told, and the page is left', () => {
  vi.stubGlobal('navigation', undefined)
  leave()
  vi.runAllTimers()
  expect(location.hash).toBe('#left')
  expect(stayed).not.toHaveBeenCalled()
})
