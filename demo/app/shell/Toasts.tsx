// The toasts of the app, beside its menu; by app.css above its devtools.
import { AuthToaster, useAuthSelector } from 'latchkey'
import { useMedia } from '../useMedia.ts'

const MENU_WIDTH_PX = 264
/** Where the menu stands beside the page, as in app.css. */
const WIDE = '(min-width: 53.8125em)'

export function Toasts() {
  const isWide = useMedia(WIDE)
  const isSignedIn = useAuthSelector((state) => state.status === 'authenticated')
  return (
    <AuthToaster
      // The page for signed-out users has the button.
      signInButton={false}
      offset={isWide && isSignedIn ? { x: MENU_WIDTH_PX } : {}}
    />
  )
}
