// Leads sign-ins of preview deployments to a provider that knows one address, and back: a function for Cloudflare, Deno, Netlify or Vercel.
const ISSUER = 'https://login.example.com'
const RETURN = 'https://return.example.com'
/** One label of a host name: whatever a link says, nobody is sent to another domain. */
const PREVIEW = /^(?=.{1,63}$)[a-z0-9]+(?:-+[a-z0-9]+)*$/
const originOf = (preview: string) => `https://${preview}.preview.example.com`

const PAGES = ['authorization_endpoint', 'end_session_endpoint']
const CALLS = ['token_endpoint', 'userinfo_endpoint', 'revocation_endpoint']
/** What would go past this function, or be bound to another address. */
const LEFT_OUT = {
  response_modes_supported: undefined,
  pushed_authorization_request_endpoint: undefined,
  dpop_signing_alg_values_supported: undefined,
}

/** For `/`, where the provider sends users back, and `/{preview}/{what}`, which previews ask. */
export async function sendOn(request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  if (pathname === '/') return sendBack(searchParams)
  const [, preview = '', what = '', ...others] = pathname.split('/')
  if (!PREVIEW.test(preview) || others.length > 0) return refused()

  const headers = {
    'access-control-allow-origin': originOf(preview),
    'access-control-allow-headers': 'authorization, content-type',
    'cache-control': 'no-store',
  }
  if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers })
  const metadata = await readMetadata()
  if (what === 'metadata') {
    const own = [...PAGES, ...CALLS].filter((name) => name in metadata)
    const endpoints = Object.fromEntries(own.map((name) => [name, `${RETURN}/${preview}/${name}`]))
    return Response.json({ ...metadata, ...endpoints, ...LEFT_OUT }, { headers })
  }

  const body = request.method === 'POST' ? await request.text() : null
  if (PAGES.includes(what) && what in metadata) {
    const page = new URL(metadata[what]!)
    for (const [name, value] of body === null ? searchParams : new URLSearchParams(body))
      page.searchParams.append(name, name === 'state' ? `${value}.${preview}` : value)
    return redirect(page.href)
  }
  if (CALLS.includes(what) && what in metadata) {
    const asked = new Headers({ origin: RETURN })
    for (const name of ['authorization', 'content-type', 'accept']) {
      const value = request.headers.get(name)
      if (value !== null) asked.set(name, value)
    }
    const answer = await fetch(metadata[what]!, { method: request.method, headers: asked, body })
    const type = answer.headers.get('content-type') ?? 'text/plain'
    return new Response(answer.body, { status: answer.status, headers: { ...headers, 'content-type': type } })
  }
  return refused()
}

/** The name of the preview stands behind the state that its page has drawn. */
function sendBack(answer: URLSearchParams): Response {
  const [state = '', ...others] = answer.getAll('state')
  const dot = state.lastIndexOf('.')
  const preview = state.slice(dot + 1)
  if (dot < 1 || others.length > 0 || !PREVIEW.test(preview)) return refused()
  answer.set('state', state.slice(0, dot))
  return redirect(`${originOf(preview)}/?${answer}`)
}

const readMetadata = async () =>
  (await (await fetch(`${ISSUER}/.well-known/openid-configuration`)).json()) as Record<string, string>
const refused = () => new Response('There is no such preview.', { status: 400 })
const redirect = (location: string) =>
  new Response(null, {
    status: 302,
    headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  })
