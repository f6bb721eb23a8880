// Reading requests and writing answers on the demo's servers: bodies with a limit, JSON, pages under a strict policy.
import type { IncomingMessage, ServerResponse } from 'node:http'

/** A refusal that the caller may see; anything else that is thrown becomes a plain 500. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number
  readonly code: string
  readonly headers: Record<string, string>

  constructor(status: number, code: string, description: string, headers: Record<string, string> = {}) {
    super(description)
    this.status = status
    this.code = code
    this.headers = headers
  }
}

export const badRequest = (description: string): HttpError =>
  new HttpError(400, 'invalid_request', description)
export const forbidden = (description: string): HttpError => new HttpError(403, 'access_denied', description)
export const notFound = (description: string): HttpError => new HttpError(404, 'not_found', description)

/** Enough for a link map of tens of thousands of entries. */
const LARGEST_BODY_BYTES = 16 * 1024 * 1024

export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > LARGEST_BODY_BYTES) throw new HttpError(413, 'invalid_request', 'the body is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

export const isJson = (request: IncomingMessage): boolean =>
  /^application\/json\b/i.test(request.headers['content-type'] ?? '')

export async function readJson(request: IncomingMessage): Promise<unknown> {
  if (!isJson(request)) throw new HttpError(415, 'invalid_request', 'the body must be application/json')
  try {
    return JSON.parse(await readBody(request)) as unknown
  } catch (error) {
    if (error instanceof HttpError) throw error
    throw badRequest('the body is not valid JSON')
  }
}

/** A JSON body that has to be an object. */
export async function readRecord(request: IncomingMessage): Promise<Record<string, unknown>> {
  const body = await readJson(request)
  if (!isRecord(body)) throw badRequest('the body must be an object')
  return body
}

export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? '')) {
    throw new HttpError(415, 'invalid_request', 'the body must be a form')
  }
  return new URLSearchParams(await readBody(request))
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Ids may be texts or numbers on the wire; here they are texts. */
export function readId(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
  response.end(JSON.stringify(body))
}

/** What was thrown while a request was handled, as its answer; what is nobody's business goes to the log alone. */
export function sendFailure(response: ServerResponse, error: unknown, log?: (line: string) => void): void {
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  if (!(error instanceof HttpError))
    log?.(`demo server: ${error instanceof Error ? error.message : 'unknown'}`)
  const { status, code, message, headers } =
    error instanceof HttpError ? error : new HttpError(500, 'server_error', 'the demo server made a mistake')
  sendJson(response, status, { error: code, error_description: message }, headers)
}

export function sendEmpty(response: ServerResponse, status = 204): void {
  response.writeHead(status)
  response.end()
}

export function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { location, 'content-length': '0' })
  response.end()
}

/** Is this text an http(s) origin and nothing more? */
export function isOrigin(value: string): boolean {
  const url = URL.parse(value)
  return url !== null && url.origin === value && /^https?:$/.test(url.protocol)
}
