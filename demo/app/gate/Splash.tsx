// What is shown for the moment in which it is not known yet what to show.
import { Brand } from '../parts/Brand.tsx'

export function Splash({ text }: { text: string }) {
  return (
    <main className="gate">
      <div className="splash" role="status">
        <Brand />
        <span className="spinner" />
        <p>{text}…</p>
      </div>
    </main>
  )
}
