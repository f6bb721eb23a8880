// Carries out a fault on one request: delays it, spoils its answer or cuts its connection.
import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { FaultRule } from './faults.ts'

type Headers = Record<string, string | number | string[]>

interface Answer {
  status: number
  headers: Headers
  body: string
}

/** Applies the rules that strike before the server works; true when the request is thereby over. */
export async function strikeBefore(response: ServerResponse, rules: readonly FaultRule[]): Promise<boolean> {
  for (const rule of rules) {
    const { delayMs, hang, status, body, reset } = rule
    // Rules strike one after the other: a delay of one is over before the next begins.
    if (delayMs !== undefined) await wait(delayMs)
    if (response.destroyed || hang === true) return true
    if (status !== undefined || body !== undefined || reset !== undefined) {
      spoil(response, rule, {
        status: status ?? 200,
        headers: {},
        body: JSON.stringify({
          error: status === 429 ? 'slow_down' : 'server_error',
          error_description: `a fault was asked for (${status ?? 200})`,
        }),
      })
      return true
    }
    for (const [name, value] of Object.entries(headersOf(rule))) response.setHeader(name, value)
  }
  return false
}

/** Lets the server work, then spoils what it says. Call before the request is handled. */
export function strikeAfter(response: ServerResponse, rule: FaultRule): void {
  const chunks: Buffer[] = []
  let status: number | undefined
  let headers: Headers = {}
  const { writeHead, write, end } = response
  response.writeHead = ((code: number, given?: Headers) => {
    status = code
    const { 'content-length': _length, ...others } = given ?? {}
    headers = others
    return response
  }) as typeof writeHead
  response.write = ((chunk: string | Buffer) => {
    chunks.push(Buffer.from(chunk))
    return true
  }) as typeof write
  const finish = async () => {
    if (rule.delayMs !== undefined) await wait(rule.delayMs)
    if (response.destroyed || rule.hang === true) return
    response.removeHeader('content-length')
    const body = Buffer.concat(chunks).toString('utf8')
    spoil(response, rule, { status: status ?? response.statusCode, headers, body })
  }
  response.end = ((chunk?: string | Buffer) => {
    if (chunk !== undefined && typeof chunk !== 'function') chunks.push(Buffer.from(chunk))
    Object.assign(response, { writeHead, write, end })
    void finish()
    return response
  }) as typeof end
}

function spoil(response: ServerResponse, rule: FaultRule, { status: given, headers, body }: Answer): void {
  const { socket } = response
  if (rule.reset === 'before-answer') {
    socket?.resetAndDestroy()
    return
  }
  const status = rule.status ?? given
  const bytes = Buffer.from(spoiled(rule, body))
  const hasBody = status !== 204 && status !== 304
  response.writeHead(status, {
    ...headers,
    ...headersOf(rule),
    ...(hasBody && { 'content-length': bytes.length }),
  })
  if (rule.reset === undefined) response.end(hasBody ? bytes : undefined)
  else response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => socket?.resetAndDestroy())
}

const JSON_TYPE = 'application/json; charset=utf-8'

const headersOf = ({ body, retryAfter, headers }: FaultRule): Record<string, string> => ({
  ...(body !== undefined && { 'content-type': body === 'html' ? 'text/html; charset=utf-8' : JSON_TYPE }),
  ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
  ...headers,
})

function spoiled({ body }: FaultRule, original: string): string {
  if (body === 'html')
    return '<!doctype html><title>Wireless network sign-in</title><h1>Please accept our terms</h1>'
  if (body === 'truncated') return original.slice(0, Math.max(1, Math.floor(original.length / 2)))
  return body?.text ?? original
}
