// The frame of the app: navigation, the bar above, the screen itself, the devtools below.
import { useAuthSelector, useUserInfo } from 'latchkey'
import { Suspense, useRef } from 'react'
import { serverHas } from '../auth.ts'
import { Brand } from '../parts/Brand.tsx'
import { Icon } from '../parts/Icon.tsx'
import { skipTo } from '../parts/skipTo.ts'
import { readPerson } from '../person.ts'
import { usePath } from '../router.ts'
import { SCREENS } from '../screens/list.ts'
import { NotFound } from '../screens/NotFound.tsx'
import { NotSupported } from '../screens/NotSupported.tsx'
import { AccountBox } from './AccountBox.tsx'
import { DevtoolsDock } from './DevtoolsDock.tsx'
import { Navigation } from './Navigation.tsx'
import { OfflineBanner } from './OfflineBanner.tsx'
import { OutOfReachBanner } from './OutOfReachBanner.tsx'
import { ScreenBoundary } from './ScreenBoundary.tsx'
import { ScreenLoading } from './ScreenLoading.tsx'
import { ThemeSwitch } from './ThemeSwitch.tsx'
import { useFocusOnChange } from './useFocusOnChange.ts'

export function Shell() {
  const path = usePath()
  const isOnline = useAuthSelector((state) => state.isOnline)
  const isTokenExpired = useAuthSelector((state) => state.isTokenExpired)
  const drawer = useRef<HTMLDialogElement>(null)
  const screen = SCREENS.find((candidate) => candidate.path === path)
  const Screen = screen?.component ?? NotFound
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
          <button type="button" className="button-icon" aria-label="Close the menu" onClick={closeDrawer}>
            <Icon name="close" />
          </button>
        </div>
        <Navigation onFollow={closeDrawer} />
        <AccountBox />
      </dialog>
      <div className="body">
        <div className="bars">
          {!isOnline && <OfflineBanner />}
          {isOnline && isTokenExpired && <OutOfReachBanner />}
          <header className="top">
            <button
              type="button"
              className="button-icon menu-button"
              aria-label="Open the menu"
              onClick={() => drawer.current?.showModal()}
            >
              <Icon name="menu" />
            </button>
            <p className="top-title">
              <span className="top-firm">
                <FirmName /> <span aria-hidden="true">/</span>{' '}
              </span>
              {title}
            </p>
            <ThemeSwitch />
          </header>
        </div>
        <main id="content" ref={mainRef} tabIndex={-1}>
          <ScreenBoundary key={path}>
            <Suspense fallback={<ScreenLoading />}>
              {serverHas(screen?.needs) ? <Screen /> : <NotSupported title={title} />}
            </Suspense>
          </ScreenBoundary>
        </main>
        <DevtoolsDock />
      </div>
    </div>
  )
}

function FirmName() {
  const { data } = useUserInfo({ select: readPerson })
  return <strong>{data?.firmName ?? 'Deskwell'}</strong>
}
