// Says that the server has been out of reach for so long that nothing can be read or saved, above everything else.
import { Icon } from '../parts/Icon.tsx'

export function OutOfReachBanner() {
  return (
    <div className="banner" role="status">
      <Icon name="offline" size={18} />
      <span>
        <strong>The server cannot be reached.</strong> What is on the screen stays, and so does what you
        typed; save it when the server is back.
      </span>
    </div>
  )
}
