// The link map: which user of the firm is which user at the cloud provider, as a table of users or as one JSON text.
import { useUser } from 'latchkey'
import { useState } from 'react'
import { readDraft, readTexts } from '../cloud/linkMapDraft.ts'
import { LinkMapUsers } from '../cloud/LinkMapUsers.tsx'
import { LinkMapJson } from '../json/LinkMapJson.tsx'
import { PageHead } from '../parts/PageHead.tsx'
import { Switch } from '../parts/Switch.tsx'
import { isAdministrator } from '../person.ts'
import '../cloud/cloud.css'

const VIEWS = { users: 'Users', json: 'JSON' } as const
type View = keyof typeof VIEWS

export function LinkMap() {
  const user = useUser()
  // Begins where something is offered that was typed before a sign-out.
  const [view, setView] = useState<View>(() =>
    readTexts(user).length > 0 && readDraft(user).size === 0 ? 'json' : 'users',
  )
  const [hasDraft, setHasDraft] = useState(false)
  const isReadOnly = !isAdministrator(user)
  return (
    <>
      <PageHead
        title="Link map"
        about={`Which user of your firm is which user at the cloud provider.${view === 'users' ? ' An empty account takes the link away.' : ''}`}
        aside={
          <Switch
            legend="Show as"
            options={VIEWS}
            value={view}
            // What was typed in one view is not known in the other.
            refusal={hasDraft ? 'Save or discard your changes first' : undefined}
            onChange={setView}
          />
        }
      />
      {view === 'users' ? (
        <LinkMapUsers isReadOnly={isReadOnly} onDraft={setHasDraft} />
      ) : (
        <LinkMapJson isReadOnly={isReadOnly} onDraft={setHasDraft} />
      )}
    </>
  )
}
