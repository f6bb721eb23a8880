// The link map as a table: thousands of users, searched, changed and saved.
import { type LinkMap, useAuthHook, useDebouncedValue, useLinkMap, useSaveLinkMap, useUser } from 'latchkey'
import { useCallback, useMemo, useState } from 'react'
import { Button } from '../parts/Button.tsx'
import { Card } from '../parts/Card.tsx'
import { Form } from '../parts/Form.tsx'
import { Nothing, Notice } from '../parts/Notice.tsx'
import { Reading } from '../parts/Reading.tsx'
import { KeptNotice } from './KeptNotice.tsx'
import { LinkMapNotSaved } from './LinkMapNotSaved.tsx'
import { forgetDraft, keepDraft, readDraft } from './linkMapDraft.ts'
import { type Draft, findDisputed, type MapRow, search, toRows, toSave, withChange } from './mapRows.ts'
import { MapTable } from './MapTable.tsx'

const NO_DRAFT: Draft = new Map()

export interface LinkMapUsersProps {
  isReadOnly: boolean
  /** Something was typed that is not saved, or not any more. */
  onDraft(hasDraft: boolean): void
}

export function LinkMapUsers({ isReadOnly, onDraft }: LinkMapUsersProps) {
  const [allUsers, setAllUsers] = useState(false)
  const [words, setWords] = useState('')
  const [draft, setDraft] = useState(NO_DRAFT)
  const linkMap = useLinkMap({ allUsers })
  const { data: map, isFetching, refetch } = linkMap
  const [base, setBase] = useState<{ allUsers: boolean; map: LinkMap }>()
  const [disputed, setDisputed] = useState<readonly MapRow[]>([])
  const save = useSaveLinkMap({ base: base?.map })
  // What was typed was typed on top of this map: it stays, whatever is read meanwhile, until the user has it read again.
  const isNewer = map !== undefined && (base?.allUsers !== allUsers || base.map !== map)
  if (isNewer && (base?.allUsers !== allUsers || (draft.size === 0 && !save.isPending)))
    setBase({ allUsers, map })
  const shownMap = base?.allUsers === allUsers ? base.map : undefined
  const rows = useMemo(() => {
    if (!shownMap) return undefined
    const ofMap = toRows(shownMap)
    // Whom a colleague unlinked stays in sight while the user's own text for them does.
    return [...ofMap, ...disputed.filter(({ id }) => !ofMap.some((row) => row.id === id))]
  }, [shownMap, disputed])
  const user = useUser()
  const [kept, setKept] = useState(() => readDraft(user))
  useAuthHook(
    'beforeLogout',
    useCallback(({ user: owner }) => owner && keepDraft(owner, draft), [draft]),
  )
  const found = search(rows ?? [], useDebouncedValue(words))

  const showDraft = (next: Draft) => {
    setDraft(next)
    onDraft(next.size > 0)
    if (next.size === 0) setDisputed([])
  }
  const saveAll = () => save.mutate(toSave(rows ?? [], draft), { onSuccess: () => showDraft(NO_DRAFT) })
  const discard = () => {
    save.reset()
    showDraft(NO_DRAFT)
  }
  const readAgain = async () => {
    const { data: theirs } = await refetch()
    if (!theirs || !rows) return
    const next = toRows(theirs)
    setBase({ allUsers, map: theirs })
    setDisputed(findDisputed(rows, next, draft))
    save.reset()
  }
  const letGo = () => {
    forgetDraft(user)
    setKept(NO_DRAFT)
  }
  const bringBack = () => {
    // A user without a link is shown among all users only.
    if ([...kept.keys()].some((id) => !rows?.some((row) => row.id === id))) setAllUsers(true)
    showDraft(kept)
    letGo()
  }
  return (
    <Card
      title="Users"
      about={allUsers ? 'GET /cloudprovider/linkmap?allUsers=true' : 'GET /cloudprovider/linkmap'}
      aside={
        rows && (
          <span className="soft small map-count" role="status">
            {found.length === rows.length
              ? `${rows.length} users`
              : `${found.length} of ${rows.length} users`}
          </span>
        )
      }
    >
      {!isReadOnly && rows && kept.size > 0 && draft.size === 0 && (
        <KeptNotice
          text={kept.size === 1 ? '1 change is kept.' : `${kept.size} changes are kept.`}
          onForget={letGo}
          onBringBack={bringBack}
        />
      )}
      <div className="map-tools">
        <label className="field">
          <span className="hidden">Search users</span>
          <input
            type="search"
            value={words}
            placeholder="Name, address or account"
            onChange={(event) => setWords(event.target.value)}
          />
        </label>
        <label className="check">
          <input
            type="checkbox"
            checked={allUsers}
            // What was typed belongs to the users that are shown.
            disabled={draft.size > 0}
            onChange={(event) => setAllUsers(event.target.checked)}
          />
          All users, linked or not
        </label>
      </div>
      <Reading
        of={linkMap}
        what="the link map"
        count={6}
        forbidden="Only an administrator of your firm may see the users without a link."
      />
      {rows && found.length === 0 && (
        <Nothing
          icon="link"
          title={rows.length === 0 ? 'Nobody is linked yet' : 'Nobody fits this search'}
          text={rows.length === 0 ? 'Show all users to link the first one.' : 'Try fewer or other words.'}
        />
      )}
      {/* Enter in a field saves, as in any form: between it and the button may be thousands of rows. */}
      <Form onSubmit={() => draft.size > 0 && saveAll()}>
        {found.length > 0 && (
          <MapTable
            key={String(allUsers)}
            rows={found}
            draft={draft}
            isReadOnly={isReadOnly || save.isPending}
            onChange={(row, value) => {
              save.reset()
              showDraft(withChange(draft, row, value))
            }}
          />
        )}
        {!isReadOnly && found.length > 0 && (
          <p className="soft small map-note">
            What you have not saved is kept when you are signed out, and offered again after you sign in.
          </p>
        )}
        {save.error && (
          <LinkMapNotSaved
            error={save.error}
            kept="my changes"
            isReading={isFetching}
            onRead={() => void readAgain()}
            onConfirmed={saveAll}
            onLeave={() => keepDraft(user, draft)}
          />
        )}
        {disputed.length > 0 && (
          <Notice title="A colleague changed the same users">
            <p>Your text stands in the table. Save it to replace theirs, or discard it to keep theirs.</p>
            <ul>
              {disputed.map(({ id, name, linkedId }) => (
                <li key={id}>
                  {name}: {linkedId === '' ? 'unlinked' : linkedId}
                </li>
              ))}
            </ul>
          </Notice>
        )}
        {save.isSuccess && draft.size === 0 && <Notice tone="good" title="The link map is saved" />}
        {draft.size > 0 && (
          <div className="map-save">
            <p>
              <strong>{draft.size === 1 ? '1 change' : `${draft.size} changes`}</strong> not saved yet
            </p>
            <Button isBusy={save.isPending} onClick={discard}>
              Discard
            </Button>
            <Button type="submit" tone="primary" isBusy={save.isPending}>
              {save.isPending ? 'Saving…' : 'Save changes'}
            </Button>
          </div>
        )}
      </Form>
    </Card>
  )
}
