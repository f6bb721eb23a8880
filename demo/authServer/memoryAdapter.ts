// Where the demo's authorization server keeps sessions, codes and refresh tokens: in memory, gone when it stops.
import type { Adapter, AdapterPayload } from 'oidc-provider'

/** What dies with a grant; a sign-in page somebody has open does not. */
const OF_A_GRANT = ['AuthorizationCode', 'AccessToken', 'RefreshToken']

export type MemoryStore = ReturnType<typeof createMemoryStore>

export function createMemoryStore() {
  const models = new Map<string, Map<string, { payload: AdapterPayload; expiresAtMs: number }>>()

  const entriesOf = (model: string) => {
    const entries = models.get(model) ?? new Map<string, { payload: AdapterPayload; expiresAtMs: number }>()
    models.set(model, entries)
    return entries
  }

  /** Forgets everything that came out of one grant, that is out of one sign-in. */
  const revokeGrant = (grantId: string): void => {
    for (const entries of OF_A_GRANT.map(entriesOf))
      for (const [id, { payload }] of entries) if (payload.grantId === grantId) entries.delete(id)
    entriesOf('Grant').delete(grantId)
  }

  return {
    revokeGrant,
    /** Forgets every entry of a model, as if a database had been emptied. */
    clear: (model: string) => entriesOf(model).clear(),
    /** What oidc-provider asks of a database. */
    adapter(model: string): Adapter {
      const entries = entriesOf(model)
      const find = async (id: string): Promise<AdapterPayload | undefined> => {
        const { payload, expiresAtMs = 0 } = entries.get(id) ?? {}
        if (expiresAtMs > Date.now()) return payload
        entries.delete(id)
        return undefined
      }
      return {
        find,
        async upsert(id: string, payload: AdapterPayload, expiresInSeconds = Infinity) {
          entries.set(id, { payload, expiresAtMs: Date.now() + expiresInSeconds * 1000 })
        },
        // Of the device flow, which is off.
        findByUserCode: async () => undefined,
        async findByUid(uid: string) {
          const [id] = [...entries].find(([, { payload }]) => payload.uid === uid) ?? []
          return id === undefined ? undefined : find(id)
        },
        async consume(id: string) {
          const payload = await find(id)
          if (payload) payload.consumed = Math.floor(Date.now() / 1000)
        },
        async destroy(id: string) {
          entries.delete(id)
        },
        async revokeByGrantId(grantId: string) {
          revokeGrant(grantId)
        },
      }
    },
  }
}
