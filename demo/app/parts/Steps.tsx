// The steps of the session's timeline, newest first.
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
  const rows = steps.map((step, index) => ({ step, key: `${step.atMs} ${index}` })).toReversed()
  return (
    <ol className="steps">
      {rows.map(({ step, key }) => (
        <li key={key} className={`step step-${step.outcome}`}>
          <span className="step-icon">
            <Icon name={ICONS[step.outcome]} size={14} />
          </span>
          <div className="step-text">
            <p>
              <span className="step-name">{step.step}</span>{' '}
              <span className="soft small">{step.step === 'state' ? step.detail : step.outcome}</span>
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
