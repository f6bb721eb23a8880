// The first page: what latchkey is, its code beside the running demo, and four links to the other pages.
import { Content, withBase } from 'vitepress'
import { defineComponent, h } from 'vue'

const DOORS = [
  ['quickStart.html', 'Start', 'From an empty folder to a signed-in user in five minutes.'],
  [
    'servers/index.html',
    'Providers',
    'Keycloak, Entra ID, Auth0, Okta and others: what to register, and what each can do.',
  ],
  ['hooks/index.html', 'Hooks', 'One page per hook, with its code, grouped by what it needs.'],
  ['security.html', 'Security', 'Where tokens live, what is protected, what you must configure.'],
] as const

export const Landing = defineComponent(
  () => () =>
    h('main', { class: 'landing' }, [
      h(Content, { class: 'vp-doc landing-text' }),
      h('div', { class: 'landing-demo' }, [
        h('iframe', {
          class: 'running-demo',
          title: 'The demo, running in this page',
          src: withBase('/try/index.html'),
          loading: 'lazy',
        }),
        h('p', { class: 'try-it' }, [
          'The demo runs in your browser, its servers too. ',
          // Another app: a whole page load, not a page of this site.
          h('a', { href: withBase('/try/index.html'), target: '_self' }, 'Open it full screen'),
        ]),
      ]),
      h('nav', { class: 'doors', 'aria-label': 'Where to go' }, [
        h(
          'ul',
          DOORS.map(([href, title, about]) =>
            h('li', h('a', { href: withBase(`/${href}`) }, [h('strong', title), h('span', about)])),
          ),
        ),
      ]),
      h('p', { class: 'landing-more' }, [
        h('a', { href: withBase('/allPages.html') }, 'All pages'),
        ', or search: it finds words on every page.',
      ]),
    ]),
)
