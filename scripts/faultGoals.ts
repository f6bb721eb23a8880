// The numbers that the suite is to reach, and what it has reached; rows of evidence/faults.md.
import type { Results } from './mutation/report.ts'

export interface Reached {
  readonly named: Readonly<Record<string, number>>
  readonly generated: Readonly<Record<string, { readonly count: number }>>
  readonly mutation: Results
  readonly addresses: { readonly count: number; readonly failures: number; readonly date: string } | undefined
  readonly browsers: readonly { browser: string; version: string; flow: string; result: string }[]
  /** What `npm run bench` has counted in Chromium. */
  readonly measured: readonly { measurement: string; what: string; value: string; goal?: string }[]
}

const thousands = (count: number) => count.toLocaleString('en')

export function goalRows(reached: Reached): string[] {
  const { named, generated, mutation, addresses, browsers, measured } = reached
  const sum = (...kinds: string[]) => kinds.reduce((all, kind) => all + (generated[kind]?.count ?? 0), 0)
  const texts = generated['broken JSON texts']?.count ?? 0
  const whole = Object.values(generated).reduce((all, { count }) => all + count, 0) - texts
  const namedCount = Object.values(named).reduce((all, count) => all + count, 0)
  const row = (...cells: string[]) => `| ${cells.join(' | ')} |`
  const unit = '`npm test -- unit`'
  return [
    row('named bad inputs and faults', '1,000', thousands(namedCount), unit),
    row('generated inputs, the texts of the editor not counted', '70,000', thousands(whole), unit),
    row('addresses through start-up', '20,000', thousands(sum('addresses that a page is opened with')), unit),
    row(
      'addresses through start-up, the long run',
      '1,000,000',
      addresses ? `${thousands(addresses.count)}, ${addresses.failures} failed` : 'not run',
      '`npm run test:addresses`',
    ),
    row(
      'messages to frame and popup',
      '20,000',
      thousands(sum('messages of the frame', 'messages to the window', 'messages to a popup')),
      unit,
    ),
    row('tokens', '20,000', thousands(sum('tokens')), unit),
    row('calls × answers', '308', thousands(named['dom/badAnswers'] ?? 0), unit),
    row('flows × faults searched for secrets', '60', thousands(named['dom/secrets.canary'] ?? 0), unit),
    row('storages × faults × flows', '192', thousands(named['node/storageFaults'] ?? 0), unit),
    row('clocks × lives × days', '135', thousands(named['node/time'] ?? 0), unit),
    row('servers that send the browser round', '15', thousands(named['node/loops'] ?? 0), unit),
    row(
      'deep links that come back, byte for byte',
      '2,000',
      thousands(sum('deep links through a sign-in')),
      unit,
    ),
    row('texts of the editor', '3,000', thousands(texts), unit),
    row(
      'real-time messages',
      '10,000',
      thousands(sum('real-time messages', 'real-time messages to a session')),
      unit,
    ),
    row(
      'days of several devices: messages twice, late or lost, lines that are down',
      '50',
      thousands(sum('schedules of sessions')),
      unit,
    ),
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
