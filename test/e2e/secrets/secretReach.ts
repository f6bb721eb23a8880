// Looks for secrets in all that a script of the page, an extension or a person could read in it at this moment.

/** Handed to the browser as a text: nothing outside it is there. Gives each place with each secret that it holds. */
export async function readReach(secrets: readonly string[]): Promise<[place: string, secret: string][]> {
  const found: [string, string][] = []
  const look = (place: string, ...texts: readonly unknown[]) => {
    for (const text of texts)
      for (const secret of secrets)
        if (typeof text === 'string' && text.includes(secret)) found.push([place, secret])
  }

  look('address', location.href, document.URL, document.baseURI, document.documentURI)
  look('referrer', document.referrer)
  look('window name', window.name)
  look('title', document.title)
  look('cookies', document.cookie)
  look('history', JSON.stringify(history.state))
  look('local storage', JSON.stringify(Object.entries(localStorage)))
  look('session storage', JSON.stringify(Object.entries(sessionStorage)))
  const elements = [...document.querySelectorAll('*')]
  look('page', document.documentElement.outerHTML, ...elements.map(({ shadowRoot }) => shadowRoot?.innerHTML))
  look('fields', ...elements.map((element) => 'value' in element && element.value))
  for (const entry of performance.getEntries())
    look(
      entry.entryType === 'navigation' ? 'navigation entry' : 'performance timeline',
      JSON.stringify(entry.toJSON()),
    )
  if ('navigation' in window) {
    const { activation } = window.navigation
    look(
      'history',
      ...window.navigation.entries().flatMap((one) => [one.url, JSON.stringify(one.getState())]),
    )
    look('activation of the page', activation?.entry.url, activation?.from?.url)
  }
  for (const name of await caches.keys()) {
    const cache = await caches.open(name)
    for (const request of await cache.keys())
      look('Cache Storage', name, request.url, await (await cache.match(request))?.text())
  }
  for (const { name = '' } of await indexedDB.databases()) {
    look('IndexedDB', name)
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open(name)
      opening.addEventListener('success', () => resolve(opening.result))
      opening.addEventListener('error', () => reject(opening.error!))
    })
    for (const store of database.objectStoreNames) {
      const all = database.transaction(store).objectStore(store)
      for (const request of [all.getAllKeys(), all.getAll()]) {
        await new Promise((resolve) => {
          request.addEventListener('success', resolve)
        })
        look('IndexedDB', JSON.stringify(request.result))
      }
    }
    database.close()
  }
  walk('globals', [window])
  // React keeps its tree there, and the tree what it shows: the caches of the queries, editors with their models.
  walk(
    'props and state',
    elements.flatMap((element) =>
      Reflect.ownKeys(element).map((key) => Reflect.get(element, key) as unknown),
    ),
  )
  return found

  /** Every text within reach of some values: own members of any kind, of maps, sets, bytes and query caches too. */
  function walk(place: string, roots: readonly unknown[]) {
    const seen = new Set<unknown>(place === 'globals' ? [] : [window])
    const waiting: unknown[] = [...roots]
    while (waiting.length > 0) {
      const value = waiting.pop()
      if (typeof value === 'string') look(place, value)
      if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value))
        continue
      seen.add(value)
      // A window of another origin allows no look; the page is looked at as it is drawn.
      if (isForeign(value) || value instanceof Node) continue
      if (value instanceof Uint8Array) {
        look(place, new TextDecoder().decode(value))
        continue
      }
      if (ArrayBuffer.isView(value)) continue
      // No member like others: what it says of where it was made names the address of the page.
      if (value instanceof Error) look(place, value.stack)
      if (value instanceof Map || value instanceof Set) waiting.push(...value)
      const { getQueryCache, getMutationCache } = value as Record<string, unknown>
      for (const ask of [getQueryCache, getMutationCache])
        if (typeof ask === 'function') waiting.push(...(ask.call(value) as { getAll(): unknown[] }).getAll())
      for (const key of Reflect.ownKeys(value)) {
        waiting.push(typeof key === 'symbol' ? key.description : key)
        const { value: member } = Reflect.getOwnPropertyDescriptor(value, key) ?? {}
        waiting.push(member)
      }
    }
  }

  function isForeign(value: object) {
    try {
      Reflect.get(value, 'getQueryCache')
      return false
    } catch {
      return true
    }
  }
}
