// Carries out a fault on one request: delays it, spoils its answer or cuts its connection.
import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { FaultBody, FaultRule } from './faults.ts'

/** Applies the rules that strike before the server works; true when the request is thereby over. */
export async function strikeBefore(response: ServerResponse, rules: readonly FaultRule[]): Promise<boolean> {
  for (const rule of rules) {
    // Rules strike one after the other: a delay of one is over before the next begins.
    if (rule.delayMs !== undefined) await wait(rule.delayMs)
    if (response.destroyed) return true
    if (rule.hang === true) return true
    if (rule.reset === 'before-answer') {
      response.socket?.resetAndDestroy()
      return true
    }
    if (rule.status === undefined && rule.body === undefined && rule.reset === undefined) {
      for (const [name, value] of Object.entries(headersOf(rule))) response.setHeader(name, value)
      continue
    }
    const status = rule.status ?? 200
    send(response, status, headersOf(rule), spoiled(rule, standardBody(status)), rule.reset === 'mid-body')
    return true
  }
  return false
}

/** Lets the server work, then spoils what it says. Call before the request is handled. */
export function strikeAfter(response: ServerResponse, rule: FaultRule): void {
  const chunks: Buffer[] = []
  let status: number | undefined
  let headers: Record<string, string | number | string[]> = {}
  const { writeHead, write, end } = response
  response.writeHead = ((code: number, given?: Record<string, string>) => {
    status = code
    headers = { ...given }
    return response
  }) as typeof writeHead
  response.write = ((chunk: string | Buffer) => {
    chunks.push(Buffer.from(chunk))
    return true
  }) as typeof write
  response.end = ((chunk?: string | Buffer) => {
    if (chunk !== undefined && typeof chunk !== 'function') chunks.push(Buffer.from(chunk))
    Object.assign(response, { writeHead, write, end })
    void finishSpoiled(
      response,
      rule,
      status ?? response.statusCode,
      headers,
      Buffer.concat(chunks).toString('utf8'),
    )
    return response
  }) as typeof end
}

async function finishSpoiled(
  response: ServerResponse,
  rule: FaultRule,
  status: number,
  headers: Record<string, string | number | string[]>,
  body: string,
): Promise<void> {
  if (rule.delayMs !== undefined) await wait(rule.delayMs)
  if (response.destroyed || rule.hang === true) return
  if (rule.reset === 'before-answer') {
    response.socket?.resetAndDestroy()
    return
  }
  response.removeHeader('content-length')
  const { 'content-length': _length, ...kept } = headers
  send(
    response,
    rule.status ?? status,
    { ...kept, ...headersOf(rule) },
    spoiled(rule, body),
    rule.reset === 'mid-body',
  )
}

function send(
  response: ServerResponse,
  status: number,
  headers: Record<string, string | number | string[]>,
  body: string,
  isCut: boolean,
): void {
  const bytes = Buffer.from(body)
  const hasBody = status !== 204 && status !== 304
  response.writeHead(status, hasBody ? { ...headers, 'content-length': bytes.length } : headers)
  if (!isCut) {
    response.end(hasBody ? bytes : undefined)
    return
  }
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.socket?.resetAndDestroy())
}

function headersOf(rule: FaultRule): Record<string, string> {
  const type = contentTypeOf(rule.body)
  return {
    ...(type === undefined ? {} : { 'content-type': type }),
    ...(rule.retryAfter === undefined ? {} : { 'retry-after': String(rule.retryAfter) }),
    ...rule.headers,
  }
}

function contentTypeOf(body: FaultBody | undefined): string | undefined {
  if (body === undefined) return undefined
  if (body === 'html') return 'text/html; charset=utf-8'
  if (typeof body === 'object') return body.contentType ?? 'application/json; charset=utf-8'
  return 'application/json; charset=utf-8'
}

const standardBody = (status: number): string =>
  JSON.stringify({
    error: status === 429 ? 'slow_down' : 'server_error',
    error_description: `a fault was asked for (${status})`,
  })

function spoiled({ body }: FaultRule, original: string): string {
  if (body === undefined) return original
  if (typeof body === 'object') return body.text
  switch (body) {
    case 'html':
      return '<!doctype html><title>Wireless network sign-in</title><h1>Please accept our terms</h1>'
    case 'truncated':
      return original.slice(0, Math.max(1, Math.floor(original.length / 2)))
    case 'empty':
      return ''
    case 'null':
      return 'null'
    case 'array':
      return '[1,2,3]'
    case 'wrong-keys':
      return '{"accessToken":"not the right member","unexpected":true}'
    case 'huge':
      return JSON.stringify({ filler: 'x'.repeat(1024 * 1024) })
  }
}
