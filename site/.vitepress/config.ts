// Makes a static site of docs/: light, dark and narrow, with a search that stays on the site; no request leaves it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { findDeadLinks } from '../../scripts/deadLinks.ts'
import { firstSentence } from '../../scripts/docsParts.ts'
import { plainPages } from '../../scripts/plainPages.ts'
import { formerAddresses, sidebar } from './navigation.ts'
import { miniSearch, withWords } from './search.ts'

const { repository } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  repository: { url: string }
}
/** Empty before the first release: then no page has a link to its file. */
const REPOSITORY = /github\.com\/[\w-]+\/[\w-]+/.exec(repository.url)?.[0]
const base = process.env['DOCS_BASE'] ?? '/'
const DESCRIPTION =
  'Add sign-in to a React admin app in minutes: tokens in memory, one session across tabs, any OpenID Connect provider that needs no client secret.'
/** Takes readers of an address that a page had before to where it is now. */
const movedPage = (to: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Moved</title>
<link rel="canonical" href="${to}">
<meta http-equiv="refresh" content="0; url=${to}">
<a href="${to}">This page has moved.</a>
</html>
`
const readPage = (path: string) => readFileSync(new URL(`../pages/${path}`, import.meta.url), 'utf8')
function writeInto(folder: string, file: string, text: string) {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}
export default defineConfig({
  title: 'latchkey',
  description: DESCRIPTION,
  lang: 'en',
  srcDir: './pages',
  outDir: './dist',
  cacheDir: './.cache',
  base,
  head: [
    ['link', { rel: 'icon', href: `${base}mark.svg`, type: 'image/svg+xml' }],
    ['meta', { name: 'theme-color', content: '#1f5f4f' }],
  ],
  cleanUrls: false,
  // Each page says where it is as plain markdown.
  transformHead: ({ page, title, description }) => [
    [
      'link',
      // The list of all pages is the first of the plain ones.
      { rel: 'alternate', type: 'text/markdown', href: posix.basename(page.replace('allPages', 'index')) },
    ],
    ['meta', { property: 'og:title', content: title }],
    ['meta', { property: 'og:description', content: description }],
    ['meta', { property: 'og:type', content: 'website' }],
    ['meta', { property: 'og:image', content: `${process.env['DOCS_ORIGIN'] ?? ''}${base}og.png` }],
    ['meta', { name: 'twitter:card', content: 'summary_large_image' }],
  ],
  transformPageData(page) {
    page.frontmatter['outline'] ??= page.relativePath.startsWith('hooks/') ? 2 : [2, 3]
    if (page.relativePath === 'index.md') return
    page.description ||= firstSentence(readPage(page.filePath)).replaceAll('`', '') || DESCRIPTION
  },
  buildEnd({ outDir, site: { base: path } }) {
    const dead = findDeadLinks(outDir, path)
    if (dead.length > 0) throw new Error(`Links of the site that lead nowhere:\n${dead.join('\n')}`)
    for (const [from, to] of formerAddresses()) writeInto(outDir, from, movedPage(to))
    // The command runs in the folder of the site.
    process.chdir(fileURLToPath(new URL('../..', import.meta.url)))
    for (const [file, text] of plainPages()) writeInto(outDir, file, text)
  },
  vite: { publicDir: fileURLToPath(new URL('../public', import.meta.url)) },
  rewrites: {
    'README.md': 'allPages.md',
    'hooks/README.md': 'hooks/index.md',
    'servers/README.md': 'servers/index.md',
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
    logo: '/mark.svg',
    search: {
      provider: 'local',
      options: {
        translations: { button: { buttonText: 'Search', buttonAriaLabel: 'Search' } },
        miniSearch,
        _render: (markdown, env, md) => md.render(withWords(markdown), env),
      },
    },
    ...(REPOSITORY && {
      editLink: { pattern: `https://${REPOSITORY}/edit/main/docs/:path`, text: 'Edit this page' },
    }),
    nav: [
      { text: 'Start', link: '/quickStart.html' },
      { text: 'Providers', link: '/servers/' },
      { text: 'Hooks', link: '/hooks/' },
      { text: 'Security', link: '/security.html' },
    ],
    sidebar: sidebar(),
  },
})
