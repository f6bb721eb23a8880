// Checks response headers as a browser does: whether the app's page may read the response, frame it and cache it.
import { allows, readPolicy } from '../../setup/policy.ts'
import { type Fault, fault } from '../report.ts'
import type { Answer } from './server.ts'

type WithHeaders = Pick<Answer, 'headers'>

/** A fault that shows a header as it came. */
const wrongHeader = ({ headers }: WithHeaders, name: string, fix: string, before = ''): Fault =>
  fault(`${before}${name}: ${headers.get(name) ?? 'absent'}`, fix)

/** Can a page of this origin read the response? */
export function corsFault(answer: Answer, origin: string): Fault | undefined {
  const name = 'Access-Control-Allow-Origin'
  const allowed = answer.headers.get(name)
  if (allowed === origin || allowed === '*') return undefined
  const fix = `Send ${name}: ${origin} on every response of this address, those of errors too.`
  return wrongHeader(answer, name, fix, `status ${answer.status}, `)
}

/** The header names that a CORS header lists, in small letters. */
const namesIn = ({ headers }: WithHeaders, name: string): string[] =>
  (headers.get(name) ?? '').toLowerCase().split(/\s*,\s*/)

export function preflightFault(answer: Answer, origin: string, header: string): Fault | undefined {
  if (answer.status < 200 || answer.status > 299)
    return fault(
      `the preflight (OPTIONS) is refused with status ${answer.status}`,
      `Respond to OPTIONS from ${origin} with 204 and the CORS headers, before any check of a token.`,
    )
  const unreadable = corsFault(answer, origin)
  if (unreadable) return unreadable
  const name = 'Access-Control-Allow-Headers'
  const names = namesIn(answer, name)
  // The wildcard does not cover `authorization` (Fetch standard).
  const isAllowed = names.includes(header) || (names.includes('*') && header !== 'authorization')
  return isAllowed ? undefined : wrongHeader(answer, name, `Add ${header} to ${name}.`)
}

/** Can a page of another origin read this header? */
export function exposureFault(answer: WithHeaders, header: string): Fault | undefined {
  const name = 'Access-Control-Expose-Headers'
  const names = namesIn(answer, name)
  if (names.includes('*') || names.includes(header.toLowerCase())) return undefined
  return wrongHeader(answer, name, `Add ${header} to ${name}, on responses of errors too.`)
}

export function cacheFault(answer: WithHeaders): Fault | undefined {
  const name = 'Cache-Control'
  if (/\bno-store\b/i.test(answer.headers.get(name) ?? '')) return undefined
  return wrongHeader(answer, name, 'Send Cache-Control: no-store: the response holds a code or tokens.')
}

/** May a page of this origin show the response in a frame? */
export function frameFault(answer: WithHeaders, origin: string): Fault | undefined {
  const policy = readPolicy((answer.headers.get('content-security-policy') ?? '').replaceAll(',', ';'))
  const ancestors = policy.get('frame-ancestors')
  const fix = `Send Content-Security-Policy: frame-ancestors ${origin} and no X-Frame-Options for prompt=none.`
  if (ancestors && allows(ancestors, origin)) return undefined
  if (ancestors) return fault(`Content-Security-Policy: frame-ancestors ${ancestors.join(' ')}`, fix)
  return answer.headers.has('x-frame-options') ? wrongHeader(answer, 'X-Frame-Options', fix) : undefined
}
