// Gives each prop of a component the control that its type wants, and names its type; descriptions come from the docstrings.
import type { SBType, StrictInputType } from 'storybook/internal/types'

/** A `boolean | undefined` is a switch, and what React draws is a text. A control that a story names stays; here Storybook takes the whole form of one alone. */
export function withControl(prop: StrictInputType): StrictInputType {
  const type = withoutUndefined(prop.type)
  if (type === undefined) return prop
  const isText = membersOf(type).some(
    (member) => member.name === 'other' && /^React(Node|Element)$/.test(member.value),
  )
  return {
    ...prop,
    type,
    ...named(prop),
    ...(isText && prop.control === undefined && { control: { type: 'text' } }),
  }
}

/** Storybook says `union` of every union; the source says what it is of. */
function named({ type, table }: StrictInputType): Pick<StrictInputType, 'table'> {
  if (table?.type?.summary !== 'union' || typeof type !== 'object' || type.raw === undefined) return {}
  const summary = type.raw.replaceAll(/\s+/g, ' ').replaceAll(/^ ?\| | \| undefined$/g, '')
  return { table: { ...table, type: { summary } } }
}

function withoutUndefined(type: StrictInputType['type']): SBType | undefined {
  if (!type) return undefined
  const members = membersOf(type).filter(({ name, ...member }) => {
    return !(name === 'other' && Object(member).value === 'undefined')
  })
  const [only] = members
  if (only !== undefined && members.length === 1) return only
  return type.name === 'union' ? { ...type, value: members } : type
}

const membersOf = (type: SBType): SBType[] => (type.name === 'union' ? type.value : [type])
