// Lets a supporter in: their code, how long, and until when it then is.
import { type SupportAccess as Access, useAuthorizeSupport } from 'latchkey'
import { useState } from 'react'
import { Button } from '../parts/Button.tsx'
import { Card } from '../parts/Card.tsx'
import { ErrorNotice } from '../parts/ErrorNotice.tsx'
import { Facts } from '../parts/Facts.tsx'
import { Field, Form } from '../parts/Form.tsx'
import { PageHead } from '../parts/PageHead.tsx'
import { useNow } from '../useNow.ts'
import { dayAndTime, longCountdown, timeOfDay } from '../words.ts'
import '../cloud/cloud.css'

const CHOICES = [
  [15, '15 minutes'],
  [60, '1 hour'],
  [240, '4 hours'],
  [1440, '1 day'],
] as const

export function SupportAccess() {
  const [minutes, setMinutes] = useState(60)
  const support = useAuthorizeSupport()
  const isOurs = support.error?.code === 'invalid-argument'
  // Read from the form: no part of this app keeps the code.
  const authorize = (form: HTMLFormElement) => {
    const code = new FormData(form).get('code')
    support.mutate(
      { requestCode: typeof code === 'string' ? code.trim() : '', duration: minutes },
      { onSuccess: () => form.reset() },
    )
  }
  return (
    <>
      <PageHead
        title="Support access"
        about="Has our support given you a code? Enter it to let them look at your firm for a while."
      />
      <div className="screen-columns">
        <Card title="Let support in" about="POST /support/authorization">
          <Form onSubmit={authorize}>
            <Field
              label="Request code"
              hint="4 to 40 letters, digits and dashes; each code works once"
              name="code"
              placeholder="HELP-1234"
              autoComplete="one-time-code"
              autoCapitalize="characters"
              aria-invalid={isOurs}
            />
            <fieldset className="choices">
              <legend>For how long</legend>
              {CHOICES.map(([value, name]) => (
                <label key={value} className="choice">
                  <input
                    type="radio"
                    name="choice"
                    checked={minutes === value}
                    onChange={() => setMinutes(value)}
                  />
                  {name}
                </label>
              ))}
            </fieldset>
            <Field
              label="Minutes"
              hint="1 to 1440"
              type="number"
              inputMode="numeric"
              value={Number.isNaN(minutes) ? '' : minutes}
              onChange={(event) => setMinutes(event.target.valueAsNumber)}
            />
            <div className="actions">
              <Button type="submit" tone="primary" isBusy={support.isPending}>
                {support.isPending ? 'Letting them in…' : 'Let support in'}
              </Button>
            </div>
          </Form>
          {support.error && (
            <ErrorNotice error={support.error} {...(!isOurs && { title: 'Support was not let in' })} />
          )}
        </Card>
        {support.data && <Confirmation access={support.data} />}
      </div>
    </>
  )
}

function Confirmation({ access: { endsAtMs, details } }: { access: Access }) {
  const now = useNow(1000)
  const isOver = now >= endsAtMs
  const by = details['authorizedBy']
  return (
    <Card title={isOver ? 'Support access is over' : 'Support can look at your firm'}>
      <div role="status">
        <p className="soft">Until</p>
        <p className="until">
          <time dateTime={new Date(endsAtMs).toISOString()}>{timeOfDay(endsAtMs)}</time>
        </p>
      </div>
      <Facts
        facts={[
          ['Ends', dayAndTime(endsAtMs)],
          ['Remaining', isOver ? 'nothing' : longCountdown(endsAtMs - now)],
          ['Given by', typeof by === 'string' ? by : 'you'],
        ]}
      />
    </Card>
  )
}
