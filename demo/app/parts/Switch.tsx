// One of a few, chosen in place.

export interface SwitchProps<Value extends string> {
  legend: string
  options: Readonly<Record<Value, string>>
  value: Value
  /** Why it cannot be changed now. */
  refusal?: string | undefined
  onChange(value: NoInfer<Value>): void
}

export function Switch<Value extends string>({
  legend,
  options,
  value,
  refusal,
  onChange,
}: SwitchProps<Value>) {
  return (
    <fieldset className="switch" disabled={refusal !== undefined} title={refusal}>
      <legend className="hidden">{legend}</legend>
      {(Object.entries(options) as [Value, string][]).map(([one, label]) => (
        <label key={one}>
          <input type="radio" name={legend} checked={one === value} onChange={() => onChange(one)} />
          {label}
        </label>
      ))}
    </fieldset>
  )
}
