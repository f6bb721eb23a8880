// The numbers that the suite is to reach, and what it has reached; rows of evidence/faults.md.
import type { Named } from './faultCheck.ts'
import type { Results } from './mutation/report.ts'

export interface Reached {
  readonly leastNamed: Named
  readonly generated: Readonly<Record<string, { readonly count: number }>>
  readonly mutation: Results
  readonly addresses: { readonly count: number; readonly failures: number; readonly date: string } | undefined
  readonly browsers: readonly { browser: string; version: string; flow: string; result: string }[]
  /** What `npm run bench` has counted in Chromium. */
  readonly measured: readonly { measurement: string; what: string; value: string; goal?: string }[]
}

const thousands = (count: number) => count.toLocaleString('en')

export function goalRows(reached: Reached): string[] {
  const { leastNamed, generated, mutation, addresses, browsers, measured } = reached
  const sum = (...kinds: string[]) => kinds.reduce((all, kind) => all + (generated[kind]?.count ?? 0), 0)
  const texts = generated['broken JSON texts']?.count ?? 0
  const whole = Object.values(generated).reduce((all, { count }) => all + count, 0) - texts
  const row = (...cells: string[]) => `| ${cells.join(' | ')} |`
  const unit = '`npm test -- unit`'
  const drawn = (what: string, wanted: string, count: number) => row(what, wanted, thousands(count), unit)
  /** What a run counts by itself, and fails below. */
  const counted = (what: string, where: string) =>
    row(what, thousands(leastNamed[where] ?? 0), 'counted by each run', '`npm run test:all`')
  const frames = sum('messages of the frame', 'messages to the window', 'messages to a popup')
  const messages = sum('real-time messages', 'real-time messages to a session')
  const days = 'days of several devices: messages twice, late or lost, lines that are down'
  const long = addresses ? `${thousands(addresses.count)}, ${addresses.failures} failed` : 'not run'
  return [
    counted('named bad inputs and faults', 'all'),
    drawn('generated inputs, the texts of the editor not counted', '70,000', whole),
    drawn('addresses through start-up', '20,000', sum('addresses that a page is opened with')),
    row('addresses through start-up, the long run', '1,000,000', long, '`npm run test:addresses`'),
    drawn('messages to frame and popup', '20,000', frames),
    drawn('tokens', '20,000', sum('tokens')),
    counted('calls × answers', 'dom/calls/badAnswers'),
    counted('flows × faults searched for secrets', 'dom/secrets/secrets.canary'),
    counted('storages × faults × flows', 'node/storage/storageFaults'),
    counted('clocks × lives × days', 'node/renewal/clocks'),
    counted('servers that send the browser round', 'node/startUp/loops'),
    drawn('deep links that come back, byte for byte', '2,000', sum('deep links through a sign-in')),
    drawn('texts of the editor', '3,000', texts),
    drawn('real-time messages', '10,000', messages),
    drawn(days, '50', sum('schedules of sessions')),
    ...mutationRows(mutation),
    ...browserRows(browsers),
    ...measured.map(({ measurement, what, value, goal = '' }) =>
      row(`in Chromium: ${what}`, goal, value, `\`npm run bench -- ${measurement}\``),
    ),
  ]
}

function mutationRows(mutation: Reached['mutation']): string[] {
  return ['protocol', 'session'].map((room) => {
    const rows = mutation.rows.filter(({ file }) => file.startsWith(`src/${room}/`))
    const what = room === 'protocol' ? 'protocol/' : 'start-up, silent check, renewal, popup, tabs'
    if (rows.length === 0)
      return `| mistakes that a test notices in ${what} | 90 % | not run to its end | \`npm run test:mutation\` |`
    const noticed = rows.reduce((all, one) => all + one.noticed, 0)
    const mistakes = rows.reduce((all, one) => all + one.mistakes, 0)
    const share = `${((noticed / mistakes) * 100).toFixed(1)} % of ${thousands(mistakes)}`
    return `| mistakes that a test notices in ${what} | 90 % | ${share} | \`npm run test:mutation\` |`
  })
}

function browserRows(browsers: Reached['browsers']): string[] {
  return [...new Set(browsers.map(({ browser }) => browser))].map((browser) => {
    const of = browsers.filter((one) => one.browser === browser && one.result !== 'cannot be driven here')
    const passed = of.filter(({ result }) => result === 'passes').length
    return `| flows in ${browser} ${of[0]?.version} | ${of.length} | ${passed} | \`npm run test:browsers\` |`
  })
}
