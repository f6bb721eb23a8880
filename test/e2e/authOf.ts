// The auth object of a page of the app, which a test asks for what the page shows only roughly.
import type { JSHandle, Page } from 'playwright'
import type { Auth } from '../../src/session/auth.ts'

/** It is a property of the provider, which React keeps in its tree. */
export async function authOf(page: Page): Promise<JSHandle<Auth>> {
  return page.evaluateHandle(() => {
    interface Fiber {
      memoizedProps: { auth?: Auth } | null
      child: Fiber | null
      sibling: Fiber | null
    }
    const root = document.querySelector('#root')!
    const key = Object.keys(root).find((one) => one.startsWith('__reactContainer'))!
    const waiting = [Reflect.get(root, key) as Fiber | null]
    for (let fiber = waiting.pop(); waiting.length > 0 || fiber; fiber = waiting.pop()) {
      const auth = fiber?.memoizedProps?.auth
      if (auth) return auth
      if (fiber) waiting.push(fiber.child, fiber.sibling)
    }
    throw new Error('there is no auth object in the page')
  })
}
