// One of a few, chosen in place: words, or icons with their words for people who cannot see them.
import { Icon, type IconName } from './Icon.tsx'

export interface SwitchProps<Value extends string> {
  legend: string
  options: Readonly<Record<Value, string>>
  value: Value
  icons?: Readonly<Record<Value, IconName>>
  className?: string
  /** Why it cannot be changed now. */
  refusal?: string | undefined
  onChange(value: NoInfer<Value>): void
}

export function Switch<Value extends string>({
  legend,
  options,
  value,
  icons,
  className = '',
  refusal,
  onChange,
}: SwitchProps<Value>) {
  return (
    <fieldset className={`switch ${className}`} disabled={refusal !== undefined} title={refusal}>
      <legend className="hidden">{legend}</legend>
      {(Object.entries(options) as [Value, string][]).map(([one, label]) => (
        <label key={one} title={icons && label}>
          <input type="radio" name={legend} checked={one === value} onChange={() => onChange(one)} />
          {icons && <Icon name={icons[one]} size={16} />}
          <span className={icons && 'hidden'}>{label}</span>
        </label>
      ))}
    </fieldset>
  )
}
