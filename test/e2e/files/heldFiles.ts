// An app whose own files take their time, for as long as a test likes.
import type { Page } from 'playwright'

/** Holds the app's own files back until the answer is called. */
export async function holdFiles(page: Page): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(/\/assets\/index-[\w-]+\.js$/, async (route) => {
    await released
    await route.continue()
  })
  return release
}
