// Chooses light, dark, or what the system says.
import { Icon } from '../parts/Icon.tsx'
import { setTheme, THEMES, useTheme } from '../theme.ts'

const LABELS = { system: 'As the system', light: 'Light', dark: 'Dark' }

export function ThemeSwitch() {
  const current = useTheme()
  return (
    <fieldset className="switch">
      <legend className="hidden">Colours</legend>
      {THEMES.map((theme) => (
        <label key={theme} title={LABELS[theme]}>
          <input type="radio" name="theme" checked={theme === current} onChange={() => setTheme(theme)} />
          <Icon name={theme} size={16} />
          <span className="hidden">{LABELS[theme]}</span>
        </label>
      ))}
    </fieldset>
  )
}
