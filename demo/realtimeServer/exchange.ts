// One request and its answer, with the fault that may spoil it.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Fault, Operation } from './faults.ts'

const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, OPTIONS',
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Max-Age': '7200',
  'Cache-Control': 'no-cache',
}
const JS_TYPE = 'text/javascript; charset="UTF-8"'

export function replyToPreflight(response: ServerResponse): void {
  response.writeHead(204, CORS).end()
}

function operationOf([first, second, , , , , seventh]: readonly string[]): Operation {
  if (first === 'publish' || first === 'time') return first
  if (first !== 'v2') return 'unknown'
  if (second === 'subscribe') return 'subscribe'
  if (second !== 'presence') return 'unknown'
  return seventh === 'heartbeat' || seventh === 'leave' ? seventh : 'here-now'
}

export function openExchange(request: IncomingMessage, response: ServerResponse) {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const segments = url.pathname.slice(1).split('/').map(decodeSegment)
  const gone: (() => void)[] = []
  let isOver = false

  response.on('close', () => {
    isOver = true
    for (const callback of gone) callback()
  })

  function send(status: number, text: string, headers: Record<string, string> = {}): void {
    if (isOver) return
    isOver = true
    const length = String(Buffer.byteLength(text))
    response
      .writeHead(status, { ...CORS, 'Content-Type': JS_TYPE, 'Content-Length': length, ...headers })
      .end(text)
  }

  function spoil(fault: Fault, status: number, text: string): void {
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
        return send(200, '<!doctype html><title>Sign in to the network</title>', {
          'Content-Type': 'text/html; charset=utf-8',
        })
      case 'malformed':
        return send(200, '{}')
      case 'status': {
        const { status: code = 503, retryAfterSeconds: seconds } = fault
        const body = JSON.stringify({ status: code, error: true, message: 'Fault switched on' })
        return send(code, body, seconds === undefined ? {} : { 'Retry-After': String(seconds) })
      }
      case 'truncated':
        isOver = true
        response.writeHead(status, { ...CORS, 'Content-Length': String(text.length + 100) })
        response.write(text.slice(0, Math.ceil(text.length / 2)), () => response.socket?.destroy())
        return
      case 'delay': {
        const timer = setTimeout(() => send(status, text), fault.delayMs ?? 1000)
        gone.push(() => clearTimeout(timer))
        return
      }
      case 'duplicate':
      case 'reorder':
        send(status, text)
    }
  }

  const exchange = {
    operation: operationOf(segments),
    /** Decoded path segments. */
    segments,
    query: url.searchParams,
    uuid: url.searchParams.get('uuid') ?? '',
    token: url.searchParams.get('auth') ?? undefined,
    fault: undefined as Fault | undefined,
    reply(status: number, body: unknown): void {
      if (isOver) return
      if (exchange.fault) spoil(exchange.fault, status, JSON.stringify(body))
      else send(status, JSON.stringify(body))
    },
    /** Lets a fault hit a request that is being held. */
    strike(fault: Fault): void {
      exchange.fault = fault
      const waitsForAnswer = ['hang', 'delay', 'duplicate', 'reorder', 'lost-answer'].includes(fault.kind)
      if (!waitsForAnswer) spoil(fault, 200, '{"t":{"t":"0","r":1},"m":[]}')
    },
    onGone(callback: () => void): void {
      gone.push(callback)
    },
  }
  return exchange
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return ''
  }
}

export type Exchange = ReturnType<typeof openExchange>
