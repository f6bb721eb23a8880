// Where the demo's authorization server keeps sessions, codes and refresh tokens: in memory, gone when it stops.
import type { Adapter, StoredPayload } from 'oidc-provider'

interface Entry {
  payload: StoredPayload
  expiresAtMs: number
}

export interface MemoryStore {
  adapter(model: string): Adapter
  /** Forgets every entry of a model, as if a database had been emptied. */
  clear(model: string): void
  /** Forgets everything that came out of one grant, that is out of one sign-in. */
  revokeGrant(grantId: string): void
  size(): number
}

/** Sweeping on every write would be slow with many entries; this many writes pass between two sweeps. */
const WRITES_BETWEEN_SWEEPS = 500

/** What dies with a grant; a sign-in page somebody has open does not. */
const TOKEN_MODELS = ['AuthorizationCode', 'RefreshToken'] as const

export function createMemoryStore(): MemoryStore {
  const models = new Map<string, Map<string, Entry>>()
  let writes = 0

  const entriesOf = (model: string): Map<string, Entry> => {
    const known = models.get(model)
    if (known) return known
    const created = new Map<string, Entry>()
    models.set(model, created)
    return created
  }

  const sweep = (): void => {
    const nowMs = Date.now()
    for (const entries of models.values()) {
      for (const [id, entry] of entries) if (entry.expiresAtMs <= nowMs) entries.delete(id)
    }
  }

  const revokeGrant = (grantId: string): void => {
    for (const model of TOKEN_MODELS) {
      const entries = entriesOf(model)
      for (const [id, entry] of entries) if (entry.payload.grantId === grantId) entries.delete(id)
    }
    entriesOf('Grant').delete(grantId)
  }

  return {
    adapter: (model) =>
      createAdapter(entriesOf(model), revokeGrant, () => {
        writes += 1
        if (writes % WRITES_BETWEEN_SWEEPS === 0) sweep()
      }),
    clear: (model) => entriesOf(model).clear(),
    revokeGrant,
    size: () => [...models.values()].reduce((sum, entries) => sum + entries.size, 0),
  }
}

function createAdapter(
  entries: Map<string, Entry>,
  revokeGrant: (grantId: string) => void,
  onWrite: () => void,
): Adapter {
  const read = (id: string): StoredPayload | undefined => {
    const entry = entries.get(id)
    if (!entry) return undefined
    if (entry.expiresAtMs > Date.now()) return entry.payload
    entries.delete(id)
    return undefined
  }

  return {
    async upsert(id, payload, expiresInSeconds) {
      const expiresAtMs = expiresInSeconds === undefined ? Infinity : Date.now() + expiresInSeconds * 1000
      entries.set(id, { payload, expiresAtMs })
      onWrite()
    },
    find: async (id) => read(id),
    async findByUid(uid) {
      for (const [id, entry] of entries) if (entry.payload.uid === uid) return read(id)
      return undefined
    },
    findByUserCode: async () => undefined,
    async consume(id) {
      const payload = read(id)
      if (payload) payload.consumed = Math.floor(Date.now() / 1000)
    },
    async destroy(id) {
      entries.delete(id)
    },
    async revokeByGrantId(grantId) {
      revokeGrant(grantId)
    },
  }
}
