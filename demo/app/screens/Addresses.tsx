// Links that lead into the app with something in their address, and what becomes of each; a user of the other environment.
import { usePassthrough, useRedirectionConfig } from 'latchkey'
import { JsonEditor } from 'latchkey/editor'
import { appConfig } from 'virtual:app-config'
import { Button } from '../parts/Button.tsx'
import { Card } from '../parts/Card.tsx'
import { ErrorNotice } from '../parts/ErrorNotice.tsx'
import { PageHead } from '../parts/PageHead.tsx'
import { Reading } from '../parts/Reading.tsx'
import '../cloud/cloud.css'
import '../json/json.css'

const LINKS = [
  [
    'right',
    'A token for this app',
    'It is gone from the address. Signed out, you are Chiara; signed in, you stay who you are.',
  ],
  ['foreign', 'A token for another product', 'It stays where it is, and nothing else happens.'],
  ['expired', 'A token that has expired', 'It goes from the address unused; you sign in as usual.'],
  ['audience', 'A token for the wrong audience', 'Like another product’s: it stays.'],
  ['two', 'Two tokens at once', 'Both go, none is used: nobody can tell who was meant.'],
  ['nobody', 'Something that is no token', 'It stays: it belongs to somebody else.'],
  ['code', 'A code of another product', 'It stays; only a sign-in that began here counts.'],
  ['init', 'initToken, from the page before', 'Tried once in a browser session. Signed out, you are Chiara.'],
] as const

const TOOLS = ['find', 'wrap', 'copy', 'download'] as const

const { addresses } = appConfig

export function Addresses() {
  return (
    <>
      <PageHead
        title="Addresses"
        about="What people arrive with: links of other apps, old bookmarks, and users who belong elsewhere."
      />
      {addresses ? (
        <>
          <LinksCard deskOrigin={addresses.deskOrigin} />
          <HandOverCard otherAppOrigin={addresses.otherAppOrigin} />
          <EnvironmentsCard environment={addresses.environment} />
        </>
      ) : (
        <p className="empty">This demo runs without a second environment.</p>
      )}
    </>
  )
}

function LinksCard({ deskOrigin }: { deskOrigin: string }) {
  return (
    <Card
      title="Follow a link into the app"
      about="Each leads to the activity screen, with parameters and a hash of its own that stay letter for letter. Sign out first to see a token do its work."
    >
      <ul className="things">
        {LINKS.map(([name, what, result]) => (
          <li key={name}>
            <a href={`${deskOrigin}/${name}`}>
              <strong>{what}</strong>
            </a>
            . <span className="soft">{result}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function HandOverCard({ otherAppOrigin }: { otherAppOrigin: string }) {
  const handOver = usePassthrough()
  const hand = (redirect: string) => handOver.mutate({ redirect })
  return (
    <Card
      className="below"
      title="Hand the session on"
      about="Through the authorization server, with a one-time key instead of the token."
      actions={
        <>
          <Button
            tone="primary"
            isBusy={handOver.isPending}
            onClick={() => hand('/activity?handed=over#here')}
          >
            To another screen of this app
          </Button>
          <Button isBusy={handOver.isPending} onClick={() => hand(`${otherAppOrigin}/activity`)}>
            To a stranger’s address
          </Button>
        </>
      }
    >
      <p className="soft">The second one is refused: its origin is not listed in this app.</p>
      {handOver.error && <ErrorNotice error={handOver.error} title="The session was not handed on" />}
    </Card>
  )
}

/** The redirections file to look at, in the editor in which nothing can be changed. */
function EnvironmentsCard({ environment }: { environment: string }) {
  const redirections = useRedirectionConfig()
  return (
    <Card
      className="below"
      title="Environments"
      about={`You are in “${environment}”. Sign in here as Frank, whose firm lives in “us”: a moment later you are there, signed in, at the same place. By this file: the first environment whose criteria all fit a user is theirs.`}
    >
      <Reading of={redirections} what="the redirections file" count={2}>
        {(rules) => (
          <JsonEditor
            aria-label="Redirection rules"
            value={JSON.stringify(rules, undefined, 2)}
            readOnly
            toolbar={TOOLS}
            height="auto"
            maxHeight="min(420px, 60dvh)"
            fileName="redirections.json"
            full={appConfig.hasFullEditor}
          />
        )}
      </Reading>
    </Card>
  )
}
