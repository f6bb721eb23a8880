// Makes a static site of docs/: light, dark and narrow, with a search that stays on the site; no request leaves it.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { findDeadLinks } from '../../scripts/deadLinks.ts'
import { plainPages } from '../../scripts/plainPages.ts'

const page = (text: string, file = '') => ({ text, link: `/${file}` })
const pagesIn = (folder: string) =>
  readdirSync(new URL(`../pages/${folder}`, import.meta.url))
    .filter((name) => name !== 'README.md')
    .map((name) => name.replace('.md', ''))
/** By what they need, as the page that lists them has it. */
function hookGroups() {
  const list = readFileSync(new URL('../pages/hooks/README.md', import.meta.url), 'utf8')
  const [, own = ''] = list.split(/^## By what they need$/m)
  const parts = own
    .split(/^## /m)[0]!
    .split(/(?=^\*\*With the \[|^\*\*With \[real time\]|^\*\*Without a session)/m)
  const texts = ['Hooks: any provider', 'Hooks: latchkey contract', 'Hooks: real time', 'Hooks: no session']
  const groups = parts.map((part, index) => ({
    text: texts[index] ?? '',
    names: [...part.matchAll(/\]\((use\w+)\.md\)/g)].map(([, name = '']) => name),
  }))
  const missing = pagesIn('hooks').filter((name) => !groups.some(({ names }) => names.includes(name)))
  if (groups.length !== texts.length || missing.length > 0)
    throw new Error(`docs/hooks/README.md lists no group of ${missing.join(', ')}`)
  return groups.map(({ text, names }) => ({
    text,
    items: names.map((name) => page(name, `hooks/${name}`)),
  }))
}
const [anyProvider, ...furtherHooks] = hookGroups()
const servers = pagesIn('servers')
const migration = pagesIn('migration')

export default defineConfig({
  title: 'latchkey',
  description: 'Sign-in for staff admin apps, in the browser',
  lang: 'en',
  srcDir: './pages',
  outDir: './dist',
  cacheDir: './.cache',
  base: process.env['DOCS_BASE'] ?? '/',
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  cleanUrls: false,
  // Each page says where it is as plain markdown.
  transformHead: ({ page }) => [
    [
      'link',
      // The list of all pages is the first of the plain ones.
      { rel: 'alternate', type: 'text/markdown', href: posix.basename(page.replace('allPages', 'index')) },
    ],
  ],
  buildEnd({ outDir, site: { base } }) {
    const dead = findDeadLinks(outDir, base)
    if (dead.length > 0) throw new Error(`Links of the site that lead nowhere:\n${dead.join('\n')}`)
    // The command runs in the folder of the site.
    process.chdir(fileURLToPath(new URL('../..', import.meta.url)))
    for (const [path, text] of plainPages()) {
      mkdirSync(dirname(join(outDir, path)), { recursive: true })
      writeFileSync(join(outDir, path), text)
    }
  },
  vite: { publicDir: fileURLToPath(new URL('../public', import.meta.url)) },
  rewrites: {
    'README.md': 'allPages.md',
    'hooks/README.md': 'hooks/index.md',
    'servers/README.md': 'servers/index.md',
    'migration/README.md': 'migration/index.md',
  },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    // A tag in a sentence is a word of the sentence.
    html: false,
    // As GitHub names them, so that a link to a heading leads there in both.
    anchor: {
      slugify: (heading) =>
        heading
          .trim()
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
          .replaceAll(' ', '-'),
    },
    config(md) {
      md.renderer.rules.code_inline = (tokens, index) =>
        `<code v-pre>${md.utils.escapeHtml(tokens[index]!.content)}</code>`
      // Diagrams are drawn in the browser, by a script of this site.
      const fence = md.renderer.rules.fence!
      md.renderer.rules.fence = (tokens, index, ...others) => {
        const { info, content } = tokens[index]!
        if (info.trim() !== 'mermaid') return fence(tokens, index, ...others)
        return `<Diagram text="${encodeURIComponent(content)}" />`
      }
      // Comments are for those who write the pages.
      md.core.ruler.before('inline', 'no_comments', (state) => {
        for (const token of state.tokens)
          if (token.type === 'inline')
            token.content = token.content.replaceAll(/<!--[\s\S]*?-->\n?/g, '').trim()
        state.tokens = state.tokens.filter(({ type, content }, index) => {
          const isEmpty = (at: number) =>
            state.tokens[at]?.type === 'inline' && state.tokens[at].content === ''
          if (type === 'paragraph_open') return !isEmpty(index + 1)
          if (type === 'paragraph_close') return !isEmpty(index - 1)
          return !(type === 'inline' && content === '')
        })
      })
      // What lies outside docs/ is in the repository, not on the site: its name stays, the link goes.
      md.core.ruler.push('repository_links', (state) => {
        const folder = posix.dirname((state.env as { relativePath?: string }).relativePath ?? 'x')
        for (const { children } of state.tokens) {
          let isOutside = false
          for (const token of children ?? []) {
            if (token.type === 'link_open') {
              const href = token.attrGet('href') ?? ''
              const target = posix.join(folder, href)
              isOutside = !/^(\w+:|#|\/)/.test(href) && target.startsWith('..')
              // The lists of a folder's pages have other names here: `rewrites`.
              const isOfAll = target.replace(/#.*/, '') === 'README.md'
              token.attrSet('href', href.replace(/README\.md(?=#|$)/, isOfAll ? 'allPages.md' : 'index.md'))
              if (isOutside)
                Object.assign(token, {
                  tag: 'span',
                  attrs: [['title', `${target.slice(3)} in the repository`]],
                })
            } else if (token.type === 'link_close' && isOutside) {
              token.tag = 'span'
              isOutside = false
            }
          }
        }
      })
    },
  },
  themeConfig: {
    search: {
      provider: 'local',
      options: { translations: { button: { buttonText: 'Search', buttonAriaLabel: 'Search' } } },
    },
    outline: [2, 3],
    nav: [
      page('Start', 'quickStart'),
      page('Providers', 'servers/'),
      page('Hooks', 'hooks/'),
      page('Security', 'security'),
    ],
    sidebar: [
      {
        text: 'Start',
        items: [
          page('All pages', 'allPages'),
          page('Quick start', 'quickStart'),
          page('Error boundary', 'errorBoundary'),
          page('Recipes', 'recipes'),
          page('Component kits', 'componentKits'),
          page('Admin kits', 'adminKits'),
          page('API clients', 'apiClients'),
          page('Next', 'next'),
          page('React Router, framework mode', 'reactRouterFramework'),
          page('How it works', 'howItWorks'),
        ],
      },
      {
        text: 'Reference',
        items: [
          page('createAuth', 'createAuth'),
          page('AuthProvider', 'AuthProvider'),
          page('Authenticated', 'authenticated'),
          page('auth.fetch', 'authFetch'),
          page("Your API's errors", 'apiErrors'),
          page('Your own queries', 'queries'),
          page('Toasts', 'toasts'),
          page('Texts', 'texts'),
          page('Styling', 'styling'),
          page('Real time', 'realtime'),
          page('Your own claims', 'claims'),
          page('Clearing data at sign-out', 'clearingData'),
          page('Tabs', 'tabs'),
          page('Popup sign-in', 'popupSignIn'),
          page('Step-up (MFA)', 'stepUp'),
          page('Addresses', 'addresses'),
          page('latchkey/early', 'early'),
          page('JSON editor', 'editor'),
          page('Testing', 'testing'),
          page('Devtools', 'devtools'),
          page('Errors', 'errors'),
        ],
      },
      {
        text: 'OpenID Connect',
        items: [page('Overview', 'servers/'), ...servers.map((name) => page(name, `servers/${name}`))],
      },
      {
        text: 'Migration',
        items: [page('Overview', 'migration/'), ...migration.map((name) => page(name, `migration/${name}`))],
      },
      { ...anyProvider!, items: [page('Overview', 'hooks/'), ...anyProvider!.items] },
      ...furtherHooks,
      {
        text: 'Help',
        items: [page('Troubleshooting', 'troubleshooting'), page('Glossary', 'glossary')],
      },
      {
        text: 'For reviews',
        items: [
          page('Security model', 'security'),
          page('Server contract', 'serverContract'),
          page('Browsers', 'browsers'),
          page('Accessibility', 'accessibility'),
          page('Consumers', 'consumers'),
          page('Licences', 'licences'),
        ],
      },
    ],
  },
})
