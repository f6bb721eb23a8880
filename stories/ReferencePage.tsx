// A reference page: the page of docs/ in full, the declaration, and the stories.
import { Markdown, Source } from '@storybook/addon-docs/blocks'
import type { AnchorHTMLAttributes, ComponentProps, ReactElement, ReactNode } from 'react'
import main from '../etc/latchkey.api.md?raw'
import devtools from '../etc/latchkey-devtools.api.md?raw'
import editor from '../etc/latchkey-editor.api.md?raw'
import testing from '../etc/latchkey-testing.api.md?raw'

const REPORTS = {
  latchkey: main,
  'latchkey/devtools': devtools,
  'latchkey/editor': editor,
  'latchkey/testing': testing,
}
/** Types that are named everywhere and have their own pages. */
const WELL_KNOWN = new Set(['Auth', 'AuthConfig', 'AuthError'])

/** The declaration of a name in an API report. */
function declarationOf(report: string, name: string): string | undefined {
  const head = new RegExp(`^export (?:function|interface|class|type|const) ${name}\\b`, 'm')
  const start = report.search(head)
  return start < 0 ? undefined : inLines(/^[\s\S]*?(?=\r?\n\r?\n|$)/.exec(report.slice(start))?.[0] ?? '')
}

const WIDTH = 96

/** Breaks a function that is wider than the page, with its parameters on separate lines. */
const inLines = (code: string) =>
  code.length > WIDTH ? code.replace(/^(export function .*?\()(.*)\): (.*)$/, '$1\n    $2\n): $3') : code

/** The declaration of a name, and of the types that it mentions. */
function signatureOf(report: string, name: string): string {
  const own = declarationOf(report, name) ?? ''
  const named = [...new Set(own.match(/\b[A-Z]\w+/g))].filter(
    (type) => type !== name && !WELL_KNOWN.has(type) && !own.includes(`<${type} `),
  )
  return [own, ...named.flatMap((type) => declarationOf(report, type) ?? [])].join('\n\n')
}

/** The target of a docs/ link from here: a page of the catalogue, or the file beside it. */
function hrefOf(link: string, path: string): string | undefined {
  if (/^(?:https?:|#(?!use))/.test(link)) return link
  const { pathname, hash } = new URL(link, `https://catalogue.test/docs/${path}`)
  if (pathname.startsWith('/docs/hooks/') && hash.startsWith('#use'))
    return `./?path=/docs/hooks-${hash.slice(1)}--docs`
  return pathname.startsWith('/docs/') ? `.${pathname}` : undefined
}

/** A code block in Storybook's style. */
function Block({
  children,
}: {
  children: ReactElement<{ className?: string; children?: string }>
}): ReactNode {
  const { className = '', children: code = '' } = children.props
  const language = /\blang-(\w+)/.exec(className)?.[1] as ComponentProps<typeof Source>['language']
  return <Source {...(language && { language })} code={code} />
}

const linksOf = (path: string) =>
  function Link({ href = '', children }: AnchorHTMLAttributes<HTMLAnchorElement>): ReactNode {
    const target = hrefOf(href, path)
    if (target === undefined) return <span title={`${href} in the repository`}>{children}</span>
    return (
      <a href={target} target={target.startsWith('./?path') ? '_top' : '_blank'} rel="noreferrer">
        {children}
      </a>
    )
  }

/** `path` and `text` are those of the page in docs/; the children are the stories. */
export function ReferencePage({
  name,
  entry,
  path,
  text,
  children,
}: {
  name: string
  entry: keyof typeof REPORTS
  path: string
  text: string
  children: ReactNode
}): ReactNode {
  const whole = text.replaceAll('\r\n', '\n')
  // The section for this name, as a page of its own.
  const section = new RegExp(`^## ${name}\n[\\s\\S]*?(?=^## |(?![\\s\\S]))`, 'm').exec(whole)?.[0]
  const page = section?.replaceAll(/^#(#+ )/gm, '$1') ?? whole
  const title = /^# (.*)/.exec(page)?.[1] ?? name
  const options = { overrides: { a: { component: linksOf(path) }, pre: { component: Block } } }
  const signature = (
    <>
      <Markdown
        options={options}
      >{`## Signature\n\nFrom \`${entry}\`; the page as a file: [docs/${path}](${path.split('/').at(-1)}).`}</Markdown>
      <Source language="typescript" code={signatureOf(REPORTS[entry], name)} />
    </>
  )
  const shown = (
    <>
      <Markdown>{'## Stories'}</Markdown>
      {children}
    </>
  )

  // A page about several names follows in full.
  if (title !== name)
    return (
      <>
        <Markdown>{`# ${name}\n\nPart of: ${title}.`}</Markdown>
        {signature}
        {shown}
        <Markdown options={options}>{page.replace(/^# /, '## ')}</Markdown>
      </>
    )
  const rest = page.indexOf('\n## ')
  return (
    <>
      <Markdown options={options}>{rest < 0 ? page : page.slice(0, rest)}</Markdown>
      {signature}
      {rest >= 0 && <Markdown options={options}>{page.slice(rest)}</Markdown>}
      {shown}
    </>
  )
}
