// Says that there is no network, above everything else.
import { Icon } from '../parts/Icon.tsx'

export function OfflineBanner() {
  return (
    <div className="banner" role="status">
      <Icon name="offline" size={18} />
      <span>
        <strong>You are offline.</strong> What is on the screen stays; new data comes when the network is
        back.
      </span>
    </div>
  )
}
