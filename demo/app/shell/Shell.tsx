// The frame of the app: navigation, the bar above, the screen itself, the devtools below.
import { useAuthSelector } from 'latchkey'
import { Suspense, useRef } from 'react'
import { serverHas } from '../auth.ts'
import { Brand } from '../parts/Brand.tsx'
import { IconButton } from '../parts/Button.tsx'
import { Banner, OfflineBanner } from '../parts/Notice.tsx'
import { skipTo } from '../parts/skipTo.ts'
import { usePerson } from '../person.ts'
import { usePath } from '../router.ts'
import { COMPONENTS } from '../screens/components.ts'
import { SCREENS } from '../screens/list.ts'
import { AccountBox } from './AccountBox.tsx'
import { DevtoolsDock } from './DevtoolsDock.tsx'
import { Navigation } from './Navigation.tsx'
import { NoScreen } from './NoScreen.tsx'
import { ScreenBoundary } from './ScreenBoundary.tsx'
import { ScreenLoading } from './ScreenLoading.tsx'
import { useFocusOnChange } from './useFocusOnChange.ts'

export function Shell() {
  const path = usePath()
  const isOnline = useAuthSelector((state) => state.isOnline)
  const isTokenExpired = useAuthSelector((state) => state.isTokenExpired)
  const drawer = useRef<HTMLDialogElement>(null)
  const screen = SCREENS.find((candidate) => candidate.path === path)
  const Screen = COMPONENTS[path]
  const title = screen?.title ?? 'Not found'
  const mainRef = useFocusOnChange(path)
  const closeDrawer = () => drawer.current?.close()

  return (
    <div className="shell">
      <title>{`${title} · Deskwell`}</title>
      <a className="skip" href="#content" onClick={(event) => skipTo(event, mainRef.current)}>
        Skip to the content
      </a>
      <aside className="side" aria-label="Deskwell">
        <Brand />
        <Navigation />
        <AccountBox />
      </aside>
      <dialog ref={drawer} className="side drawer" aria-label="Menu">
        <div className="drawer-head">
          <Brand />
          <IconButton icon="close" label="Close the menu" onClick={closeDrawer} />
        </div>
        <Navigation onFollow={closeDrawer} />
        <AccountBox />
      </dialog>
      <div className="body">
        <div className="bars">
          {!isOnline && <OfflineBanner />}
          {isOnline && isTokenExpired && (
            <Banner
              title="The server cannot be reached."
              text="What is on the screen stays, and so does what you typed; save it when the server is back."
            />
          )}
          <header className="topbar">
            <IconButton
              icon="menu"
              className="button-icon menu-button"
              label="Open the menu"
              onClick={() => drawer.current?.showModal()}
            />
            <p className="top-title">
              <span className="top-firm">
                <FirmName /> <span aria-hidden="true">/</span>{' '}
              </span>
              {title}
            </p>
          </header>
        </div>
        <main id="content" ref={mainRef} tabIndex={-1}>
          <ScreenBoundary key={path}>
            <Suspense fallback={<ScreenLoading />}>
              {!Screen ? (
                <NoScreen title="There is nothing here">
                  This address does not belong to any screen of Deskwell.
                </NoScreen>
              ) : serverHas(screen?.needs) ? (
                <Screen />
              ) : (
                <NoScreen title={title}>
                  This server does not have: {title}. Its calls are the firm’s own contract, which no standard
                  has. The demo on the firm’s own server has this screen: <code>npm run demo</code>.
                </NoScreen>
              )}
            </Suspense>
          </ScreenBoundary>
        </main>
        <DevtoolsDock />
      </div>
    </div>
  )
}

function FirmName() {
  const { data } = usePerson()
  return <strong>{data?.firm['name'] ?? 'Deskwell'}</strong>
}
