// A screen whose file did not come: says so in its place, and the rest of the app stays usable.
import { useAuthSelector } from 'latchkey'
import { Component, type ReactNode } from 'react'
import { Button } from '../parts/Button.tsx'
import { ErrorNotice } from '../parts/ErrorNotice.tsx'
import { PageHead } from '../parts/PageHead.tsx'

export class ScreenBoundary extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {}

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render(): ReactNode {
    return 'error' in this.state ? <ScreenMissing error={this.state.error} /> : this.props.children
  }
}

function ScreenMissing({ error }: { error: unknown }) {
  const isOnline = useAuthSelector((state) => state.isOnline)
  return (
    <>
      <PageHead
        title="This screen could not be shown"
        about="Its file may not have come. The other screens and your session are as they were."
      />
      <ErrorNotice
        error={error}
        title={
          isOnline ? 'Load the page again: you stay signed in' : 'Load the page again once you are online'
        }
      >
        {/* A page that is loaded without a network would be gone. */}
        <Button disabled={!isOnline} onClick={() => location.reload()}>
          Load again
        </Button>
      </ErrorNotice>
    </>
  )
}
