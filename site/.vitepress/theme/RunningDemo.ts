// A way to a screen of the demo from the pages that explain what it shows.
import { useData, withBase } from 'vitepress'
import { defineComponent, h } from 'vue'

/** Screens of the demo by the page that explains what they show. */
const SCREENS: Readonly<Record<string, readonly [folder: string, title: string]>> = {
  'hooks/adminConsent.md': ['admin-consent/', 'Admin consent'],
  'hooks/firm.md': ['firm/', 'Firm'],
  'hooks/cloudAccount.md': ['cloud-account/', 'Cloud account'],
  'hooks/linkMap.md': ['link-map/', 'Link map'],
  'hooks/user.md': ['', 'Home'],
  'devtools.md': ['', 'Home'],
  'editor.md': ['link-map/', 'Link map'],
  'howItWorks.md': ['tour/', 'Guided tour'],
  'tabs.md': ['sessions/', 'Sessions'],
}

export const RunningDemo = defineComponent(() => {
  const { page } = useData()
  return () => {
    const { relativePath } = page.value
    const screen = SCREENS[relativePath]
    if (!screen) return undefined
    // Another app: a whole page load, not a page of this site.
    const href = withBase(`/try/${screen[0]}index.html`)
    return h('aside', { class: 'try-it', 'aria-label': 'The demo' }, [
      'Try it: ',
      h('a', { href, target: '_self' }, screen[1]),
      ' in the demo.',
    ])
  }
})
