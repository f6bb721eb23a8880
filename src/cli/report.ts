// What a check of a server has found: one line for each promise, and what to mend where one is not kept.

export interface Fault {
  /** What the server did, with the value that shows it. */
  readonly wrong: string
  readonly mend: string
}

export interface Finding {
  /** Stable name of the check. */
  readonly id: string
  /** What the server should do. */
  readonly promise: string
  readonly verdict: 'kept' | 'broken' | 'unchecked'
  readonly fault?: Fault
  /** Why a check could not be made. */
  readonly reason?: string
}

export type Found = Fault | string | undefined

export type Report = ReturnType<typeof createReport>

export const fault = (wrong: string, mend: string): Fault => ({ wrong, mend })

export function createReport() {
  const findings: Finding[] = []
  const keep = (finding: Finding) => {
    const before = findings.findIndex(({ id }) => id === finding.id)
    if (before === -1) findings.push(finding)
    else findings[before] = finding
  }
  return {
    findings: findings as readonly Finding[],
    /**
     * Runs one check; it returns its fault, or why it cannot be made, or nothing. What it throws is a fault too: no response, mostly.
     * A second run of a check replaces what the first has found.
     */
    async check(id: string, promise: string, find: () => Promise<Found> | Found): Promise<void> {
      const found = await Promise.resolve()
        .then(find)
        .catch((error: unknown) => fault(messageOf(error), 'Make the address respond to this request.'))
      if (typeof found === 'string') keep({ id, promise, verdict: 'unchecked', reason: found })
      else keep({ id, promise, ...(found ? { verdict: 'broken', fault: found } : { verdict: 'kept' }) })
    },
  }
}

const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message
}

/** Control characters, line ends and overrides of the text direction too: a server's answer could move the cursor, or colour a fault away. */
const UNSEEN = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

/** A text of a server as a terminal may show it: invisible characters appear as their codes. */
export const printable = (text: string): string =>
  text.replace(UNSEEN, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`)

export function reportText(findings: readonly Finding[]): string {
  const mark = { kept: 'ok    ', broken: 'WRONG ', unchecked: '-     ' }
  const lines = findings.flatMap(({ id, promise, verdict, fault: found, reason }) => [
    `${mark[verdict]} ${promise} (${id})`,
    ...(found ? [`         found: ${found.wrong}`, `         mend:  ${found.mend}`] : []),
    ...(reason === undefined ? [] : [`         not checked: ${reason}`]),
  ])
  const count = (verdict: Finding['verdict']) => findings.filter((one) => one.verdict === verdict).length
  const sum = `${count('kept')} kept, ${count('broken')} broken, ${count('unchecked')} not checked`
  return [...lines, '', sum].map(printable).join('\n')
}
