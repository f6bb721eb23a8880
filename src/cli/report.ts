// Runs tables of checks, and prints one line for each promise, with the fix for a broken one.

export interface Fault {
  /** The finding, with the value that shows it. */
  readonly wrong: string
  readonly fix: string
  /** Worth knowing, but the command does not fail for it. */
  readonly isNote?: boolean
}

export interface Finding {
  /** Stable name of the check. */
  readonly id: string
  /** The expected behaviour. */
  readonly promise: string
  readonly verdict: 'kept' | 'broken' | 'note' | 'unchecked'
  /** Of a broken promise, and of a note. */
  readonly fault?: Fault
  /** Why the check could not be made. */
  readonly reason?: string
}

/** A description of the fault, a fault with a fix of its own, the reason why the check cannot be made, or nothing. */
export type Found = string | Fault | { readonly reason: string } | undefined

/** One row of a table of checks. */
export interface Check<Subject> {
  readonly promise: string
  readonly fix?: string | ((subject: Subject) => string)
  /** Whether the check applies to a subject. Default: to all. */
  readonly concerns?: (subject: Subject) => boolean
  readonly find: (subject: Subject) => Found | Promise<Found>
}

/** Rows by the names of the checks. */
export type Checks<Subject> = Readonly<Record<string, Check<Subject>>>

export type Report = ReturnType<typeof createReport>

export const fault = (wrong: string, fix: string): Fault => ({ wrong, fix })

export const note = (wrong: string, fix: string): Fault => ({ wrong, fix, isNote: true })

export const unchecked = (reason: string): Found => ({ reason })

export function createReport() {
  const findings = new Map<string, Finding>()
  return {
    /** Runs checks in their order. An error is a fault: no response, mostly. A second run of a check replaces the first. */
    async check<Subject>(subject: Subject, checks: Checks<Subject>): Promise<void> {
      for (const [id, { promise, fix = '', concerns, find }] of Object.entries(checks)) {
        if (concerns?.(subject) === false) continue
        const found = await Promise.resolve(subject)
          .then(find)
          .catch((error: unknown) => fault(messageOf(error), 'Make the address respond to this request.'))
        if (found === undefined) findings.set(id, { id, promise, verdict: 'kept' })
        else if (typeof found === 'object' && 'reason' in found)
          findings.set(id, { id, promise, verdict: 'unchecked', reason: found.reason })
        else {
          const usual = typeof fix === 'string' ? fix : fix(subject)
          const wrong = typeof found === 'string' ? fault(found, usual) : found
          findings.set(id, { id, promise, verdict: wrong.isNote ? 'note' : 'broken', fault: wrong })
        }
      }
    },
    verdictOf: (id: string) => findings.get(id)?.verdict,
    findings: (): readonly Finding[] => [...findings.values()],
  }
}

const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message
}

/** Control characters, line ends and overrides of the text direction: a server's response could move the cursor, or colour a fault away. */
const UNSEEN = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

/** A text of a server as a terminal may show it: invisible characters appear as their codes. */
export const printable = (text: string): string =>
  text.replace(UNSEEN, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`)

export function reportText(findings: readonly Finding[]): string {
  const mark = { kept: 'ok    ', broken: 'WRONG ', note: 'note  ', unchecked: '-     ' }
  const lines = findings.flatMap(({ id, promise, verdict, fault: found, reason }) => [
    `${mark[verdict]} ${promise} (${id})`,
    ...(found ? [`         found: ${found.wrong}`, `         fix:   ${found.fix}`] : []),
    ...(reason === undefined ? [] : [`         not checked: ${reason}`]),
  ])
  const count = (verdict: Finding['verdict']) => findings.filter((one) => one.verdict === verdict).length
  const sum = `${count('kept')} kept, ${count('broken')} broken, ${count('note')} noted, ${count('unchecked')} not checked`
  return [...lines, '', sum].map(printable).join('\n')
}
