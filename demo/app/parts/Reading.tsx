// What a query reads: grey bars while it is on its way, then what came; or why nothing came, and once more.
import { useForbidden } from 'latchkey/tanstack-query'
import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { ErrorNotice } from './ErrorNotice.tsx'
import { FactsLoading } from './Facts.tsx'
import { Nothing } from './Notice.tsx'

export const ADMINISTRATORS_KNOW = 'Ask an administrator of your firm.'

export interface ReadingProps<Data> {
  of: {
    data: Data | undefined
    error: unknown
    isPending: boolean
    isFetching: boolean
    refetch(): Promise<unknown>
  }
  /** 'your firm' */
  what: string
  /** How many grey bars. */
  count: number
  /** Who may, when this user may not. Without it that is an error as any other. */
  forbidden?: string
  children?: (data: Data) => ReactNode
}

export function Reading<Data>({ of, what, count, forbidden, children }: ReadingProps<Data>) {
  const { data, error, isPending, isFetching, refetch } = of
  const isRefused = useForbidden(error) !== undefined && forbidden !== undefined
  return (
    <>
      {isPending && <FactsLoading count={count} label={`Reading ${what}`} />}
      {isRefused ? (
        <Nothing icon="security" title="Not for you to see" text={forbidden} />
      ) : (
        error !== null && (
          <ErrorNotice
            error={error}
            title={`${what.charAt(0).toUpperCase()}${what.slice(1)} could not be read`}
          >
            <Button isBusy={isFetching} onClick={() => void refetch()}>
              Try again
            </Button>
          </ErrorNotice>
        )
      )}
      {data !== undefined && children?.(data)}
    </>
  )
}
