// The look and the safety headers of every page the demo's servers show: one style sheet, no outside request.
import type { ServerResponse } from 'node:http'
import type { KoaContextWithOIDC as Context } from 'oidc-provider'
import { styles } from './styles.ts'

export interface PageOptions {
  status?: number
  title: string
  /** Trusted markup; use `escapeHtml` on everything that is not a constant. */
  body: string
  /** A script of ours, run under a nonce. */
  script?: string
  /** Where forms of this page may lead, redirects included; `any` says nothing of them. */
  formTargets?: readonly string[] | 'any'
  /** Who may show this page in a frame; nobody by default. `unsaid` leaves it to other headers. */
  frameAncestors?: readonly string[] | 'unsaid'
  headers?: Record<string, string>
  /** Named in the header of the page. */
  serverName?: string
  /** What the foot of the page says of where it runs. Default: on this computer. */
  place?: string
  /** Another party's pages look different, so that a visitor sees where they are. */
  theme?: 'cloud'
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character)

/** JSON that can stand inside a script element without ending it. */
export const scriptJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

export function contentSecurityPolicy(
  nonce: string,
  { formTargets = [], frameAncestors = [] }: Pick<PageOptions, 'formTargets' | 'frameAncestors'> = {},
): string {
  const ancestors = frameAncestors.length > 0 ? frameAncestors : ["'none'"]
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    ...(formTargets === 'any' ? [] : [`form-action ${["'self'", ...formTargets].join(' ')}`]),
    ...(typeof ancestors === 'string' ? [] : [`frame-ancestors ${ancestors.join(' ')}`]),
    "base-uri 'none'",
  ].join('; ')
}

export function renderPage(options: PageOptions) {
  // Of every runtime: these pages are shown by a service worker too.
  const nonce = crypto.randomUUID()
  return {
    status: options.status ?? 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentSecurityPolicy(nonce, options),
      ...options.headers,
    },
    html: document(options, nonce),
  }
}

export function sendPage(response: ServerResponse, options: PageOptions): void {
  const { status, headers, html } = renderPage(options)
  response.writeHead(status, headers)
  response.end(html)
}

/** Shows a page from inside oidc-provider. */
export function showPage(context: Context, page: PageOptions): void {
  const { headers, html } = renderPage(page)
  if (page.status !== undefined) context.status = page.status
  for (const [name, value] of Object.entries(headers)) context.res.setHeader(name, value)
  context.body = html
}

export const SIGNED_OUT: PageOptions = {
  title: 'Signed out',
  body: '<h1>You are signed out</h1><p>You can close this page.</p>',
}

/** A page that only says what went wrong, without repeating what was sent. */
export function sendErrorPage(
  response: ServerResponse,
  status: number,
  title: string,
  text: string,
  appOrigin?: string,
): void {
  sendPage(response, errorPage(status, title, text, appOrigin))
}

export const errorPage = (status: number, title: string, text: string, appOrigin?: string): PageOptions => ({
  status,
  title,
  body: `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>${
    appOrigin === undefined
      ? ''
      : `<div class="actions"><a class="button" href="${escapeHtml(appOrigin)}/">Back to the app</a></div>`
  }`,
})

function document(
  {
    title,
    body,
    script,
    theme,
    serverName = 'Latchkey ID',
    place = 'Invented people, and nothing is kept. It listens on this computer only',
  }: PageOptions,
  nonce: string,
): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · ${escapeHtml(serverName)}</title>
<style nonce="${nonce}">${styles}</style>
</head>
<body${theme === undefined ? '' : ` class="${theme}"`}>
<header><p class="brand">${theme === 'cloud' ? cloudMark : keyholeMark}<span>${escapeHtml(serverName)}</span></p></header>
<main>${body}</main>
<footer><p><strong>Demo and test tool.</strong> ${escapeHtml(place)}; never use it as a real sign-in.</p></footer>
${script === undefined ? '' : `<script nonce="${nonce}">${script}</script>`}
</body>
</html>`
}

const keyholeMark = `<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false"><rect width="32" height="32" rx="9" class="mark"/><circle cx="16" cy="13" r="4.5" class="hole"/><path d="M16 13l3.6 11h-7.2z" class="hole"/></svg>`

const cloudMark = `<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false"><rect width="32" height="32" rx="9" class="mark"/><path d="M10 22a4.5 4.5 0 0 1-.3-9 6.5 6.5 0 0 1 12.5 1.2A4 4 0 0 1 22 22z" class="hole"/></svg>`
