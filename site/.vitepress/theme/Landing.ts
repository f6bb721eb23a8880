// The first page: what latchkey is and how to begin, its code beside two tabs of the running demo, and ways to the other pages.
import { Content, useData, withBase } from 'vitepress'
import { defineComponent, h, onMounted, onUnmounted, ref } from 'vue'

const ACTIONS = [
  ['quickStart.html', 'Get started'],
  ['why.html', 'Why latchkey'],
] as const
const DOORS = [
  ['authenticated.html', 'Protect screens', 'Guards, roles, and what users without permission see.'],
  ['servers/index.html', 'Providers', 'Keycloak, Entra ID, Auth0, Okta and others: what to register.'],
  ['hooks/index.html', 'Hooks', 'Session, user, sign-in and queries, by subject.'],
  ['security.html', 'Security', 'Where tokens live, what is protected, what you must configure.'],
] as const

/** Each frame of the demo is a tab for latchkey. The second opens when the first shows the app, and gets its session. */
const tab = (title: string, isOpen: boolean) =>
  h('div', { class: 'tab' }, [
    h('p', title),
    h('iframe', {
      title: `${title} of the demo, running in this page`,
      src: isOpen ? withBase('/try/index.html#tab') : undefined,
      loading: 'lazy',
    }),
  ])

export const Landing = defineComponent(() => {
  const { frontmatter } = useData()
  const isFirstOpen = ref(false)
  let looking: ReturnType<typeof setInterval> | undefined
  onMounted(() => {
    looking = setInterval(() => {
      const first = document.querySelector<HTMLIFrameElement>('.tab iframe')
      if (!first?.contentDocument?.querySelector('.shell')) return
      isFirstOpen.value = true
      clearInterval(looking)
    }, 250)
  })
  onUnmounted(() => clearInterval(looking))
  return () =>
    h('main', { class: 'landing' }, [
      h('div', { class: 'hero' }, [
        h('h1', String(frontmatter.value['heading'])),
        h('p', String(frontmatter.value['sentence'])),
        h(
          'p',
          { class: 'hero-actions' },
          ACTIONS.map(([href, text]) => h('a', { href: withBase(`/${href}`) }, text)),
        ),
      ]),
      h(Content, { class: 'vp-doc landing-code' }),
      h('section', { class: 'tabs', 'aria-label': 'The demo, in two tabs' }, [
        tab('First tab', true),
        tab('Second tab', isFirstOpen.value),
        h('p', { class: 'try-it' }, [
          'Two tabs of the demo, with their server, in your browser. Sign out in one: the other follows. ',
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
    ])
})
