// What arrived at a demo server, for tests to count: names of query parameters, never a value that could be a secret.
import type { IncomingMessage, ServerResponse } from 'node:http'

export interface RequestRecord {
  method: string
  path: string
  /** Names only, in order of appearance; values may be codes, states or one-time keys. */
  queryNames: string[]
  /** The prompt of an authorize request, which tells a silent check from a sign-in. */
  prompt: string | undefined
  /** The grant type of a token request. */
  grant: string | undefined
  /** Undefined as long as no answer went out, or when the connection was cut before one. */
  status: number | undefined
}

export interface RequestFilter {
  method?: string
  path?: string
  prompt?: string
  grant?: string
  status?: number
}

export type RequestLog = ReturnType<typeof createRequestLog>

/** A long benchmark must not fill the memory with its own log. */
const MOST_RECORDS = 20_000

const PROMPTS = ['none', 'login', 'consent', 'select_account']

/** Addresses that carry a one-time identifier in the path itself. */
const SECRET_TAIL = /^(\/oauth\/(?:authorize|signin))\/[^/]+/

export function createRequestLog() {
  let records: RequestRecord[] = []

  const matching = (filter: RequestFilter = {}): RequestRecord[] =>
    records.filter((record) =>
      Object.entries(filter).every(([name, value]) => record[name as keyof RequestFilter] === value),
    )

  return {
    begin(request: IncomingMessage, response: ServerResponse, url: URL): RequestRecord {
      const prompt = url.searchParams.get('prompt')
      const record: RequestRecord = {
        method: request.method ?? 'GET',
        path: url.pathname.replace(SECRET_TAIL, '$1/:uid').slice(0, 200),
        queryNames: [...url.searchParams.keys()],
        prompt: prompt !== null && PROMPTS.includes(prompt) ? prompt : undefined,
        grant: undefined,
        status: undefined,
      }
      records.push(record)
      if (records.length > MOST_RECORDS) records = records.slice(-MOST_RECORDS / 2)
      response.once('finish', () => {
        record.status = response.statusCode
      })
      return record
    },
    all: (): readonly RequestRecord[] => records,
    matching,
    count: (filter?: RequestFilter) => matching(filter).length,
    clear(): void {
      records = []
    },
  }
}
