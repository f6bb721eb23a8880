// The database of one demo server: who can sign in there, their firms, links, consents and passwords. In memory.
import {
  CONSENTED_AT_START,
  FIRMS,
  IMPERSONATIONS,
  LINKED_AT_START,
  SEED_PASSWORD,
  seedLinkMap,
  staffOf,
  type CloudAccount,
  type Environment,
  type Firm,
  type LinkMapEntry,
  type StaffMember,
} from '../seed.ts'
import { decodeIdentity, encodeIdentity, type Identity } from './identity.ts'

export interface CloudLink {
  account: CloudAccount
  linkedAt: string
  confirmedAt: string
}

export interface AdminConsent {
  domain: string
  grantedBy: string
  grantedAt: string
}

export interface Accounts {
  staff(): readonly StaffMember[]
  person(userId: string): StaffMember | undefined
  /** The administrators who may work as somebody else here. */
  impersonations(): readonly Identity[]
  /** Is this account text one that the sign-in page offers? */
  isKnown(accountId: string): boolean
  firm(firmId: string): Firm | undefined
  updateFirm(firmId: string, cloudProviderId: string): Firm | undefined
  readonly links: Map<string, CloudLink>
  readonly consents: Map<string, AdminConsent>
  linkMap(firmId: string): LinkMapEntry[]
  /** Names what the link map is now; another one after every save. */
  linkMapTag(firmId: string): string
  replaceLinkMap(firmId: string, entries: LinkMapEntry[]): void
  readonly passwords: {
    isRight(userId: string, password: string): boolean
    change(userId: string, password: string): void
  }
}

export function createAccounts(environment: Environment): Accounts {
  const people = new Map(staffOf(environment).map((person) => [person.userId, person]))
  const firms = new Map(FIRMS.map((firm) => [firm.id, firm]))
  const linkMaps = new Map<string, LinkMapEntry[]>()
  const linkMapVersions = new Map<string, number>()
  // Another one for every run of the server: its maps begin anew.
  const run = Date.now().toString(36)
  const passwords = new Map<string, string>()
  const startedAt = new Date().toISOString()
  const impersonations = IMPERSONATIONS.filter(
    ({ userId, impersonatorId }) => people.has(userId) && people.has(impersonatorId),
  )
  const offered = new Set(impersonations.map((identity) => encodeIdentity(identity)))

  const linkMap = (firmId: string): LinkMapEntry[] => {
    const known = linkMaps.get(firmId)
    if (known) return known
    const firm = firms.get(firmId)
    const created = firm ? seedLinkMap(firm) : []
    linkMaps.set(firmId, created)
    return created
  }

  return {
    staff: () => [...people.values()],
    person: (userId) => people.get(userId),
    impersonations: () => impersonations,
    isKnown(accountId) {
      const { userId, impersonatorId } = decodeIdentity(accountId)
      return impersonatorId === undefined ? people.has(userId) : offered.has(accountId)
    },
    firm: (firmId) => firms.get(firmId),
    updateFirm(firmId, cloudProviderId) {
      const firm = firms.get(firmId)
      if (!firm) return undefined
      const changed = { ...firm, cloudProviderId }
      firms.set(firmId, changed)
      return changed
    },
    links: new Map(
      Object.entries(LINKED_AT_START).map(([userId, account]) => [
        userId,
        { account, linkedAt: startedAt, confirmedAt: startedAt },
      ]),
    ),
    consents: new Map(
      Object.entries(CONSENTED_AT_START).map(([firmId, consent]) => [
        firmId,
        { ...consent, grantedAt: startedAt },
      ]),
    ),
    linkMap,
    linkMapTag: (firmId) => `"${run}-${firmId}-${linkMapVersions.get(firmId) ?? 0}"`,
    replaceLinkMap(firmId, entries) {
      linkMapVersions.set(firmId, (linkMapVersions.get(firmId) ?? 0) + 1)
      const externalById = new Map(entries.map((entry) => [entry.internalUser.id, entry.externalUser]))
      linkMaps.set(
        firmId,
        linkMap(firmId).map(({ internalUser }) => ({
          internalUser,
          externalUser: externalById.get(internalUser.id) ?? null,
        })),
      )
    },
    passwords: {
      isRight: (userId, password) => (passwords.get(userId) ?? SEED_PASSWORD) === password,
      change: (userId, password) => void passwords.set(userId, password),
    },
  }
}
