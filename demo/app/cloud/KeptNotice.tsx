// Offers what was typed before a sign-out.
import { Button } from '../parts/Button.tsx'
import { Notice } from '../parts/Notice.tsx'

export function KeptNotice({
  text,
  onForget,
  onBringBack,
}: {
  text: string
  onForget(): void
  onBringBack(): void
}) {
  return (
    <Notice title="You left before you had saved">
      <p>{text}</p>
      <div className="actions">
        <Button onClick={onForget}>Forget</Button>
        <Button onClick={onBringBack}>Bring back</Button>
      </div>
    </Notice>
  )
}
