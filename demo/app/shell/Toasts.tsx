// The toasts of the app; by app.css beside its menu and above its devtools.
import { AuthToaster } from 'latchkey'

/** The page for signed-out users has the button. */
export const Toasts = () => <AuthToaster signInButton={false} />
