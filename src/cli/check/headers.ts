// What a browser reads from the headers of a response: may the app's page read it, frame it, keep it?
import { allows, readPolicy } from '../../setup/policy.ts'
import { type Fault, fault } from '../report.ts'
import type { Answer } from './server.ts'

/** Can a page of this origin read the response? */
export function corsFault({ headers, status }: Answer, origin: string): Fault | undefined {
  const allowed = headers.get('access-control-allow-origin')
  if (allowed === origin || allowed === '*') return undefined
  return fault(
    `status ${status}, Access-Control-Allow-Origin: ${allowed ?? 'absent'}`,
    `Send Access-Control-Allow-Origin: ${origin} on every response of this address, those of errors too.`,
  )
}

/** The header names that a CORS header lists, in small letters. */
const namesIn = (headers: Headers, name: string): string[] =>
  (headers.get(name) ?? '').toLowerCase().split(/\s*,\s*/)

export function preflightFault(answer: Answer, origin: string, header: string): Fault | undefined {
  const { headers, status } = answer
  if (status < 200 || status > 299)
    return fault(
      `the preflight (OPTIONS) is refused with status ${status}`,
      `Respond to OPTIONS from ${origin} with 204 and the CORS headers, before any check of a token.`,
    )
  const unreadable = corsFault(answer, origin)
  if (unreadable) return unreadable
  const names = namesIn(headers, 'access-control-allow-headers')
  // The wildcard does not cover `authorization` (Fetch standard).
  if (names.includes(header) || (names.includes('*') && header !== 'authorization')) return undefined
  return fault(
    `Access-Control-Allow-Headers: ${headers.get('access-control-allow-headers') ?? 'absent'}`,
    `Add ${header} to Access-Control-Allow-Headers.`,
  )
}

/** Can a page of another origin read this header? */
export function exposureFault({ headers }: Pick<Answer, 'headers'>, name: string): Fault | undefined {
  const names = namesIn(headers, 'access-control-expose-headers')
  if (names.includes('*') || names.includes(name.toLowerCase())) return undefined
  return fault(
    `Access-Control-Expose-Headers: ${headers.get('access-control-expose-headers') ?? 'absent'}`,
    `Add ${name} to Access-Control-Expose-Headers, on responses of errors too.`,
  )
}

export function cacheFault({ headers }: Answer): Fault | undefined {
  const value = headers.get('cache-control')
  if (value !== null && /\bno-store\b/i.test(value)) return undefined
  return fault(
    `Cache-Control: ${value ?? 'absent'}`,
    'Send Cache-Control: no-store: the response holds a code or tokens.',
  )
}

/** May a page of this origin show the response in a frame? */
export function frameFault({ headers }: Answer, origin: string): Fault | undefined {
  const policy = readPolicy((headers.get('content-security-policy') ?? '').replaceAll(',', ';'))
  const ancestors = policy.get('frame-ancestors')
  const mend = `Send Content-Security-Policy: frame-ancestors ${origin} and no X-Frame-Options for prompt=none.`
  if (ancestors && allows(ancestors, origin)) return undefined
  if (ancestors) return fault(`Content-Security-Policy: frame-ancestors ${ancestors.join(' ')}`, mend)
  const options = headers.get('x-frame-options')
  return options === null ? undefined : fault(`X-Frame-Options: ${options}`, mend)
}
