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
  type Impersonation,
  type LinkMapEntry,
} from '../seed.ts'

/** Who a session belongs to: a member of staff, or an administrator working on behalf of one. */
export type Identity = Pick<Impersonation, 'userId'> & Partial<Impersonation>

const SEPARATOR = '~'

/** The server keeps one text per session; the impersonator rides in it so that no token can lose them. */
export const encodeIdentity = ({ userId, impersonatorId }: Identity): string =>
  impersonatorId === undefined ? userId : `${userId}${SEPARATOR}${impersonatorId}`

export function decodeIdentity(accountId: string): Identity {
  const [userId = '', impersonatorId] = accountId.split(SEPARATOR)
  return { userId, ...(impersonatorId !== undefined && { impersonatorId }) }
}

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

export type Accounts = ReturnType<typeof createAccounts>

export function createAccounts(environment: Environment) {
  const people = new Map(staffOf(environment).map((person) => [person.userId, person]))
  const firms = new Map(FIRMS.map((firm) => [firm.id, firm]))
  const linkMaps = new Map<string, LinkMapEntry[]>()
  const linkMapVersions = new Map<string, number>()
  // Another one for every run of the server: its maps begin anew.
  const run = Date.now().toString(36)
  const passwords = new Map<string, string>()
  const startedAt = new Date().toISOString()
  const impersonations: readonly Identity[] = IMPERSONATIONS.filter(
    ({ userId, impersonatorId }) => people.has(userId) && people.has(impersonatorId),
  )

  const linkMap = (firmId: string): LinkMapEntry[] => {
    const firm = firms.get(firmId)
    const entries = linkMaps.get(firmId) ?? (firm ? seedLinkMap(firm) : [])
    linkMaps.set(firmId, entries)
    return entries
  }

  return {
    staff: () => [...people.values()],
    person: (userId: string) => people.get(userId),
    /** The administrators who may work as somebody else here. */
    impersonations,
    /** Is this account text one that the sign-in page offers? */
    isKnown: (accountId: string): boolean =>
      people.has(accountId) || impersonations.some((identity) => encodeIdentity(identity) === accountId),
    firm: (firmId: string) => firms.get(firmId),
    updateFirm(firmId: string, cloudProviderId: string): Firm | undefined {
      const firm = firms.get(firmId)
      if (firm) firms.set(firmId, { ...firm, cloudProviderId })
      return firms.get(firmId)
    },
    links: new Map<string, CloudLink>(
      Object.entries(LINKED_AT_START).map(([userId, account]) => [
        userId,
        { account, linkedAt: startedAt, confirmedAt: startedAt },
      ]),
    ),
    consents: new Map<string, AdminConsent>(
      Object.entries(CONSENTED_AT_START).map(([firmId, consent]) => [
        firmId,
        { ...consent, grantedAt: startedAt },
      ]),
    ),
    linkMap,
    /** Names what the link map is now; another one after every save. */
    linkMapTag: (firmId: string) => `"${run}-${firmId}-${linkMapVersions.get(firmId) ?? 0}"`,
    replaceLinkMap(firmId: string, entries: readonly LinkMapEntry[]): void {
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
    isPassword: (userId: string, password: string) => (passwords.get(userId) ?? SEED_PASSWORD) === password,
    changePassword: (userId: string, password: string) => void passwords.set(userId, password),
  }
}
