// Things to try, for whoever sees this demo for the first time.
import type { ReactNode } from 'react'
import { appConfig } from 'virtual:app-config'
import { Card } from '../parts/Card.tsx'

/** As many as fill each row, in one column, in two or in three. */
const THINGS: readonly (readonly [what: string, result: ReactNode])[] = [
  ['Open a second tab', 'It is signed in without a sign-in page.'],
  ['Watch a renewal', 'The ring sweeps back; nothing else on the page moves.'],
  [
    'Switch the network off',
    'In the browser’s developer tools. The page stays; it catches up when you are back.',
  ],
  ['Sign out in one of two tabs', 'The other one follows at once.'],
  appConfig.realtime
    ? ['Sign in in a private window', 'As the same person: this session ends, and says why.']
    : ['Leave the page alone', 'The last minute before the end counts down, in all tabs.'],
  [
    'Reload deep inside',
    <>
      Add <code>?a=b#c</code> to the address and reload: it comes back letter for letter.
    </>,
  ],
]

export function TryCard() {
  return (
    <Card title="Try it" className="bare" about="Everything runs on this computer">
      <ul className="things">
        {THINGS.map(([what, result]) => (
          <li key={what}>
            <strong>{what}.</strong> <span className="soft">{result}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
