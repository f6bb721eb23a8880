// What is shown at an address that has no page.
import { withBase } from 'vitepress'
import { h } from 'vue'

export const NoSuchPage = () =>
  h('main', { class: 'no-such-page vp-doc' }, [
    h('h1', 'There is no such page'),
    h('p', 'It may have been renamed. The search finds words on every page.'),
    h('p', h('a', { href: withBase('/') }, 'All pages')),
  ])
