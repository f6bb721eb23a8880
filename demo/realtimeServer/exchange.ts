// One request and its answer, with the fault that may spoil it.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { inflateRawSync, inflateSync } from 'node:zlib'

import type { Fault, Operation } from './faults.ts'

export interface Exchange {
  operation: Operation
  method: string
  /** Decoded path segments. */
  segments: readonly string[]
  query: URLSearchParams
  uuid: string
  token: string | undefined
  fault: Fault | undefined
  /** True once an answer was sent or the connection is gone. */
  readonly isOver: boolean
  reply(status: number, body: unknown): void
  /** Lets a fault hit a request that is being held. */
  strike(fault: Fault): void
  onGone(callback: () => void): void
}

const MAX_BODY_BYTES = 256 * 1024

const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, POST, DELETE, OPTIONS',
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Max-Age': '7200',
  'Cache-Control': 'no-cache',
}

export function replyToPreflight(response: ServerResponse): void {
  response.writeHead(204, CORS).end()
}

export async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size > MAX_BODY_BYTES) throw new Error('Body too large')
    parts.push(part)
  }
  const bytes = Buffer.concat(parts)
  if (request.headers['content-encoding'] !== 'deflate') return bytes.toString('utf8')
  const limit = { maxOutputLength: MAX_BODY_BYTES }
  try {
    return inflateSync(bytes, limit).toString('utf8')
  } catch {
    return inflateRawSync(bytes, limit).toString('utf8')
  }
}

function operationOf(segments: readonly string[]): Operation {
  const [first, second, , , , , seventh] = segments
  if (first === 'publish') return 'publish'
  if (first === 'signal') return 'signal'
  if (first === 'time') return 'time'
  if (first !== 'v2') return 'unknown'
  if (second === 'subscribe') return 'subscribe'
  if (second !== 'presence') return 'unknown'
  if (segments[4] === 'uuid') return 'where-now'
  if (segments[6] === 'uuid') return 'state'
  if (seventh === 'heartbeat') return 'heartbeat'
  if (seventh === 'leave') return 'leave'
  return 'here-now'
}

export function openExchange(request: IncomingMessage, response: ServerResponse): Exchange {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const segments = url.pathname.slice(1).split('/').map(decodeSegment)
  const gone: (() => void)[] = []
  const timers = new Set<NodeJS.Timeout>()
  let isOver = false

  response.on('close', () => {
    isOver = true
    for (const timer of timers) clearTimeout(timer)
    for (const callback of gone) callback()
  })

  function send(status: number, text: string, type: string, headers: Record<string, string> = {}): void {
    if (isOver) return
    isOver = true
    response
      .writeHead(status, {
        ...CORS,
        'Content-Type': type,
        'Content-Length': String(Buffer.byteLength(text)),
        ...headers,
      })
      .end(text)
  }

  function spoil(fault: Fault, status: number, body: unknown): void {
    switch (fault.kind) {
      case 'drop':
      case 'lost-answer':
        response.socket?.destroy()
        return
      case 'reset':
        response.socket?.resetAndDestroy()
        return
      case 'hang':
        return
      case 'html':
        send(200, '<!doctype html><title>Sign in to the network</title>', 'text/html; charset=utf-8')
        return
      case 'malformed':
        send(200, '{}', JS_TYPE)
        return
      case 'status': {
        const code = fault.status ?? 503
        const after: Record<string, string> =
          fault.retryAfterSeconds === undefined ? {} : { 'Retry-After': String(fault.retryAfterSeconds) }
        send(
          code,
          JSON.stringify({ status: code, error: true, message: 'Fault switched on' }),
          JS_TYPE,
          after,
        )
        return
      }
      case 'truncated':
      case 'stalled': {
        const text = JSON.stringify(body)
        isOver = true
        response.writeHead(status, {
          ...CORS,
          'Content-Type': JS_TYPE,
          'Content-Length': String(text.length + 100),
        })
        response.write(text.slice(0, Math.ceil(text.length / 2)), () => {
          if (fault.kind === 'truncated') response.socket?.destroy()
        })
        return
      }
      case 'delay': {
        const timer = setTimeout(() => {
          timers.delete(timer)
          send(status, JSON.stringify(body), JS_TYPE)
        }, fault.delayMs ?? 1000)
        timers.add(timer)
        return
      }
      case 'duplicate':
      case 'reorder':
        send(status, JSON.stringify(body), JS_TYPE)
    }
  }

  const exchange: Exchange = {
    operation: operationOf(segments),
    method: request.method ?? 'GET',
    segments,
    query: url.searchParams,
    uuid: url.searchParams.get('uuid') ?? '',
    token: url.searchParams.get('auth') ?? undefined,
    fault: undefined,
    get isOver() {
      return isOver
    },
    reply(status, body) {
      if (isOver) return
      if (exchange.fault) spoil(exchange.fault, status, body)
      else send(status, JSON.stringify(body), JS_TYPE)
    },
    strike(fault) {
      exchange.fault = fault
      const waitsForAnswer = ['hang', 'delay', 'duplicate', 'reorder', 'lost-answer'].includes(fault.kind)
      if (!waitsForAnswer) spoil(fault, 200, { t: { t: '0', r: 1 }, m: [] })
    },
    onGone(callback) {
      gone.push(callback)
    },
  }
  return exchange
}

const JS_TYPE = 'text/javascript; charset="UTF-8"'

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return ''
  }
}
