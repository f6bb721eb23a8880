// The steps of the session's timeline, newest first; what repeats itself is one row.
import type { ExplainStep } from 'latchkey'
import { clockTime } from '../words.ts'
import { Icon, type IconName } from './Icon.tsx'

const ICONS: Record<ExplainStep['outcome'], IconName> = {
  started: 'clock',
  done: 'check',
  skipped: 'chevron',
  failed: 'alert',
}

export function Steps({ steps }: { steps: readonly ExplainStep[] }) {
  return (
    <ol className="steps">
      {withoutRepeats(steps).map(({ step, count, key }) => (
        <li key={key} className={`step step-${step.outcome}`}>
          <span className="step-icon">
            <Icon name={ICONS[step.outcome]} size={14} />
          </span>
          <div className="step-text">
            <p>
              <span className="step-name">{step.step}</span>{' '}
              <span className="soft small">
                {step.step === 'state' ? step.detail : step.outcome}
                {count > 1 && `, ${count} times`}
              </span>
            </p>
            {step.detail !== undefined && step.step !== 'state' && (
              <p className="soft small">{step.detail}</p>
            )}
            {step.error?.remedy !== undefined && <p className="small">{step.error.remedy}</p>}
          </div>
          <time className="soft small" dateTime={new Date(step.atMs).toISOString()}>
            {clockTime(step.atMs)}
          </time>
        </li>
      ))}
    </ol>
  )
}

function withoutRepeats(steps: readonly ExplainStep[]) {
  const rows: { step: ExplainStep; count: number; key: string }[] = []
  for (const [index, step] of steps.entries()) {
    const last = rows[0]
    const key = `${step.atMs} ${index}`
    const isSame = last?.step.step === step.step
    const isRepeat = isSame && last.step.outcome === step.outcome && last.step.detail === step.detail
    if (isRepeat) rows[0] = { step, count: last.count + 1, key }
    // What has begun is told by how it went.
    else if (isSame && last.step.outcome === 'started') rows[0] = { step, count: 1, key }
    else rows.unshift({ step, count: 1, key })
  }
  return rows
}
