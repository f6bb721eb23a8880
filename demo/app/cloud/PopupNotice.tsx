// What a screen shows about a popup: that it is open, how it ended, and the fresh click when the browser blocked it.
import { type PopupMutationResult, userText } from 'latchkey'
import { Button } from '../parts/Button.tsx'
import { ErrorNotice } from '../parts/ErrorNotice.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Notice } from '../parts/Notice.tsx'

type Shown = Pick<
  PopupMutationResult<unknown, void>,
  'status' | 'error' | 'focusPopup' | 'finish' | 'cancel'
> & { data: { isChanged: boolean } | undefined }

export interface PopupNoticeProps {
  popup: Shown
  /** 'Your account is linked' */
  done: string
  /** 'Nothing was linked' */
  unchanged: string
  /** Opens it once more, in the click. */
  onRetry(): void
}

export function PopupNotice({ popup, done, unchanged, onRetry }: PopupNoticeProps) {
  const { status, error, data } = popup
  if (status === 'pending') {
    return (
      <div className="notice" role="status">
        <Icon name="clock" />
        <div>
          <p className="notice-title">Go on in the other window</p>
          <p>This page notices when you are done there.</p>
          <div className="actions">
            <Button onClick={popup.focusPopup}>Show the window</Button>
            <Button onClick={popup.finish}>I am done</Button>
            <Button onClick={popup.cancel}>Cancel</Button>
          </div>
        </div>
      </div>
    )
  }
  if (error) {
    const retry = (
      <Button onClick={onRetry}>{error.code === 'popup-blocked' ? 'Open the window' : 'Try again'}</Button>
    )
    // Who closes the window has turned back: nothing went wrong.
    if (error.code !== 'popup-closed') return <ErrorNotice error={error}>{retry}</ErrorNotice>
    return (
      <Notice title={userText(error)}>
        <div className="actions">{retry}</div>
      </Notice>
    )
  }
  if (!data) return undefined
  return data.isChanged ? <Notice tone="good" title={done} /> : <Notice title={unchanged} />
}
