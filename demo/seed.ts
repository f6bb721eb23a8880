// The people, firms and cloud accounts that every demo and test server starts with (demo data only, nobody real).

/** The two installations of the pretend product; each has its own server, origin and user database. */
export type Environment = 'eu' | 'us'

export type Role = 'administrator' | 'member'

export interface Firm {
  id: string
  name: string
  city: string
  /** The installation that keeps this firm's data. */
  environment: Environment
  /** The cloud provider the firm has chosen, or null as long as it has not. */
  cloudProviderId: string | null
  domain: string
}

export interface StaffMember {
  userId: string
  name: string
  email: string
  title: string
  role: Role
  firmId: string
  /** Where this person can sign in; where their firm lives is the firm's own field. */
  knownIn: readonly Environment[]
}

/** An administrator who may work as somebody else ("on behalf of"). */
export interface Impersonation {
  impersonatorId: string
  userId: string
}

export type CloudAccount = {
  id: string
  email: string
  name: string
}

export type InternalUser = CloudAccount

export interface LinkMapEntry {
  internalUser: InternalUser
  externalUser: CloudAccount | null
}

/** What the pretend staff type as their current password when they change it. */
export const SEED_PASSWORD = 'demo-password'

/** How many internal users the largest firm has, so that a long link map can be tried. */
export const LARGE_FIRM_USERS = 5000

export const FIRMS: readonly Firm[] = [
  {
    id: 'firm-noorderlicht',
    name: 'Noorderlicht Accountants',
    city: 'Groningen',
    environment: 'eu',
    cloudProviderId: 'cumulus',
    domain: 'noorderlicht.example',
  },
  {
    id: 'firm-maasvogel',
    name: 'Maas & Vogel Lawyers',
    city: 'Maastricht',
    environment: 'eu',
    cloudProviderId: null,
    domain: 'maasvogel.example',
  },
  {
    id: 'firm-cascade',
    name: 'Cascade Bookkeeping',
    city: 'Portland',
    environment: 'us',
    cloudProviderId: 'cumulus',
    domain: 'cascade.example',
  },
]

const eu: readonly Environment[] = ['eu']
const both: readonly Environment[] = ['eu', 'us']

export const STAFF: readonly StaffMember[] = [
  member('anna', 'Anna de Vries', 'Office manager', 'administrator', 'firm-noorderlicht', eu),
  member('bram', 'Bram Jansen', 'Bookkeeper', 'member', 'firm-noorderlicht', eu),
  member('chiara', 'Chiara Rossi', 'Payroll adviser', 'member', 'firm-noorderlicht', eu),
  member('daan', 'Daan Maas', 'Partner', 'administrator', 'firm-maasvogel', eu),
  member('elif', 'Elif Kaya', 'Lawyer', 'member', 'firm-maasvogel', eu),
  member('frank', 'Frank Miller', 'Bookkeeper', 'member', 'firm-cascade', both),
  member('grace', 'Grace Lee', 'Managing director', 'administrator', 'firm-cascade', ['us']),
]

export const IMPERSONATIONS: readonly Impersonation[] = [
  { impersonatorId: 'anna', userId: 'bram' },
  { impersonatorId: 'grace', userId: 'frank' },
]

/** Who starts with an account at the cloud provider already linked. */
export const LINKED_AT_START: Readonly<Record<string, CloudAccount>> = {
  bram: { id: 'cumulus-bram', email: 'bram.jansen@cumulus.example', name: 'Bram Jansen' },
}

/** The firms whose administrator has already consented to the cloud provider. */
export const CONSENTED_AT_START: Readonly<Record<string, { domain: string; grantedBy: string }>> = {
  'firm-noorderlicht': { domain: 'noorderlicht.example', grantedBy: 'anna' },
}

/** The accounts a visitor can pick on the pretend cloud provider's pages. */
export const CLOUD_ACCOUNTS: readonly CloudAccount[] = [
  { id: 'cumulus-anna', email: 'anna.devries@cumulus.example', name: 'Anna de Vries' },
  { id: 'cumulus-bram', email: 'bram.jansen@cumulus.example', name: 'Bram Jansen' },
  { id: 'cumulus-shared', email: 'office@cumulus.example', name: 'Shared office account' },
]

export const firmById = (id: string): Firm | undefined => FIRMS.find((firm) => firm.id === id)

/** The staff who can sign in at one installation, with their firm. */
export function staffOf(environment: Environment): StaffMember[] {
  return STAFF.filter((person) => person.knownIn.includes(environment))
}

const FIRST_NAMES =
  'Ada Bas Cem Dina Ewa Fenna Gijs Hugo Ida Jan Kaj Lot Mia Noor Olaf Pia Rik Sara Tim Ula'.split(' ')
const LAST_NAMES =
  'Bakker Claes Dekker Evers Fontein Groen Hendriks Ivens Kuiper Linde Mol Nauta Otten Prins'.split(' ')

/** The link map a firm starts with: its own staff and, in the largest firm, thousands of generated users. */
export function seedLinkMap(firm: Firm): LinkMapEntry[] {
  const entries: LinkMapEntry[] = STAFF.filter((person) => person.firmId === firm.id).map((person) => ({
    internalUser: { id: person.userId, name: person.name, email: person.email },
    externalUser: LINKED_AT_START[person.userId] ?? null,
  }))
  if (firm.id !== 'firm-noorderlicht') return entries
  for (let index = entries.length; index < LARGE_FIRM_USERS; index += 1) entries.push(generated(firm, index))
  return entries
}

function generated(firm: Firm, index: number): LinkMapEntry {
  const number = String(index + 1).padStart(4, '0')
  const first = FIRST_NAMES[index % FIRST_NAMES.length] ?? 'Ada'
  const last = LAST_NAMES[Math.floor(index / FIRST_NAMES.length) % LAST_NAMES.length] ?? 'Bakker'
  const name = `${first} ${last}`
  const address = `${first}.${last}.${number}`.toLowerCase()
  const isMapped = index % 6 !== 0
  return {
    internalUser: { id: `staff-${number}`, name, email: `${address}@${firm.domain}` },
    externalUser: isMapped ? { id: `cumulus-${number}`, email: `${address}@cumulus.example`, name } : null,
  }
}

function member(
  userId: string,
  name: string,
  title: string,
  role: Role,
  firmId: string,
  knownIn: readonly Environment[],
): StaffMember {
  const domain = FIRMS.find((firm) => firm.id === firmId)?.domain ?? 'firm.example'
  return { userId, name, email: `${userId}@${domain}`, title, role, firmId, knownIn }
}
