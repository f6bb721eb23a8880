// The list of screens, by section, with the one that is shown marked.
import { Fragment } from 'react'
import { serverHas } from '../auth.ts'
import { Icon } from '../parts/Icon.tsx'
import { Link } from '../parts/Link.tsx'
import { usePath } from '../router.ts'
import { SCREENS, SECTIONS } from '../screens/list.ts'

export function Navigation({ onFollow }: { onFollow?: () => void }) {
  const path = usePath()
  return (
    <nav aria-label="Screens" className="navigation">
      {SECTIONS.map((section) => {
        const screens = SCREENS.filter((screen) => screen.section === section && serverHas(screen.needs))
        if (screens.length === 0) return undefined
        return (
          <Fragment key={section}>
            <p className="navigation-section">{section}</p>
            <ul>
              {screens.map((screen) => (
                <li key={screen.path}>
                  <Link to={screen.path} isCurrent={screen.path === path} {...(onFollow && { onFollow })}>
                    <Icon name={screen.icon} />
                    {screen.title}
                  </Link>
                </li>
              ))}
            </ul>
          </Fragment>
        )
      })}
    </nav>
  )
}
