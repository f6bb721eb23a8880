// The shape of a screen whose file is on its way: its heading, a line about it, and a card.
import { FactsLoading } from '../parts/Facts.tsx'

export function ScreenLoading() {
  return (
    <div className="screen-loading">
      <span className="bar" />
      <span className="bar" />
      <div className="card">
        <FactsLoading count={4} label="Loading this screen" />
      </div>
    </div>
  )
}
