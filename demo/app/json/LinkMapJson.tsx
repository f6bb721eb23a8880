// The link map as JSON: edited as one text, checked by a schema, compared with what is saved before it is saved.
import { type LinkMap, useAuthHook, useLinkMap, useSaveLinkMap, useUser } from 'latchkey'
import { JsonEditor, type JsonEditorHandle, type JsonFault } from 'latchkey/editor'
import { useCallback, useRef, useState } from 'react'
import { appConfig } from 'virtual:app-config'
import { GoodNotice } from '../cloud/GoodNotice.tsx'
import { forgetText, keepText, type KeptText, readTexts } from '../cloud/linkMapDraft.ts'
import { ReadNotice } from '../cloud/ReadNotice.tsx'
import { atWork } from '../parts/atWork.ts'
import { Card } from '../parts/Card.tsx'
import { LinkMapNotSaved } from '../cloud/LinkMapNotSaved.tsx'
import { FactsLoading } from '../parts/Facts.tsx'
import { ChangeList } from './ChangeList.tsx'
import { LINK_MAP_SCHEMA } from './linkMapSchema.ts'
import { findChanges, type MapChanges, mergeMaps, toText } from './mapChanges.ts'
import { type Merge, MergeView } from './MergeView.tsx'
import './json.css'

export interface LinkMapJsonProps {
  isReadOnly: boolean
  /** Something was typed that is not saved, or not any more. */
  onDraft(hasDraft: boolean): void
}

export function LinkMapJson(props: LinkMapJsonProps) {
  const { data, error, isPending, isFetching, refetch } = useLinkMap()
  const read = () => void refetch()
  return (
    <Card
      title="One text"
      about={
        props.isReadOnly
          ? 'The links of your firm. Only an administrator may change them.'
          : 'The links of your firm. Users missing here are unlinked.'
      }
    >
      {isPending && <FactsLoading count={6} label="Reading the link map" />}
      {error && (
        <ReadNotice
          error={error}
          title="The link map could not be read"
          forbidden="Only staff of the firm may see its link map."
          isBusy={isFetching}
          onRetry={read}
        />
      )}
      {data && <MapEditor {...props} map={data} isReading={isFetching} onRead={read} />}
    </Card>
  )
}

interface MapEditorProps extends LinkMapJsonProps {
  map: LinkMap
  isReading: boolean
  onRead(): void
}

function MapEditor({ map, isReadOnly, isReading, onDraft, onRead }: MapEditorProps) {
  const editor = useRef<JsonEditorHandle>(null)
  const [base, setBase] = useState(map)
  const [draft, setDraft] = useState<string>()
  const [faults, setFaults] = useState<readonly JsonFault[]>([])
  const [review, setReview] = useState<MapChanges | string>()
  const [merge, setMerge] = useState<Merge>()
  const save = useSaveLinkMap({ base })
  const hasDraft = draft !== undefined
  // What was typed was typed on top of this map: it stays, whatever is read meanwhile.
  if (base !== map && !hasDraft && !save.isPending) setBase(map)
  // A colleague was first. Their map has been read already, unless the network is gone too.
  if (save.error?.code === 'conflict' && save.error !== merge?.error && base !== map && hasDraft) {
    setBase(map)
    // Changed and changed back is another version of the same map: nothing to merge, the next save begins from it.
    if (toText(map) !== toText(base)) {
      const { entries, disputed } = mergeMaps(base, save.variables ?? [], map)
      setMerge({ error: save.error, base, mine: draft, theirs: map, merged: toText(entries), disputed })
      setDraft(toText(entries))
      setReview(undefined)
    }
  }
  const saved = toText(base)
  const text = draft ?? saved
  const user = useUser()
  const [kept, setKept] = useState(() => readTexts(user))
  useAuthHook(
    'beforeLogout',
    useCallback(
      ({ user: owner }) => {
        if (owner && draft !== undefined) keepText(owner, { text: draft, base: saved })
      },
      [draft, saved],
    ),
  )
  const errorCount = faults.filter(({ severity }) => severity === 'error').length

  const change = (next: string) => {
    save.reset()
    setReview(undefined)
    setDraft(next === saved && !merge ? undefined : next)
    onDraft(next !== saved || merge !== undefined)
  }
  const compare = (isShown: boolean) => {
    setReview(isShown ? findChanges(base, editor.current!.getValue()) : undefined)
    editor.current!.compare(isShown)
  }
  const finish = () => {
    editor.current!.compare(false)
    setReview(undefined)
    setMerge(undefined)
    setDraft(undefined)
    onDraft(false)
  }
  const letGo = (key: string) => {
    forgetText(key)
    setKept(kept.filter(([other]) => other !== key))
  }
  const bringBack = (key: string, { text: mine, base: from }: KeptText) => {
    letGo(key)
    onDraft(true)
    const before = findChanges([], from)
    const changes = typeof before === 'string' ? before : findChanges(before.entries, mine)
    // Nobody has saved meanwhile, or the text is not whole yet and cannot be merged.
    if (from === saved || typeof before === 'string' || typeof changes === 'string') return setDraft(mine)
    const { entries, disputed } = mergeMaps(before.entries, changes.entries, map)
    setMerge({ error: undefined, base: before.entries, mine, theirs: map, merged: toText(entries), disputed })
    setDraft(toText(entries))
  }
  const saveMerged = () => {
    const changes = findChanges(base, text)
    if (typeof changes === 'string') setReview(changes)
    else save.mutate(changes.entries, { onSuccess: finish })
  }
  const saveAgain = () => save.variables && save.mutate(save.variables, { onSuccess: finish })
  const keep = () => draft !== undefined && keepText(user, { text: draft, base: saved })
  const discard = () => {
    save.reset()
    finish()
  }
  return (
    <>
      {!isReadOnly && kept[0] && !hasDraft && (
        <KeptNotice kept={kept[0]} count={kept.length} onForget={letGo} onBringBack={bringBack} />
      )}
      {merge && <MergeView merge={merge} isBusy={save.isPending} editor={editor} onPick={change} />}
      <JsonEditor
        ref={editor}
        label="Link map as JSON"
        className="map-json"
        value={text}
        original={saved}
        schema={LINK_MAP_SCHEMA}
        readOnly={isReadOnly || save.isPending}
        height="min(520px, 56dvh)"
        // Who types does not have the buttons below move with each fault.
        faultsHeight={hasDraft ? 112 : undefined}
        fileName="link-map.json"
        full={appConfig.hasFullEditor}
        messages={{ original: 'Saved link map' }}
        onChange={change}
        onValidate={setFaults}
      />
      {save.error && save.error !== merge?.error && (
        <LinkMapNotSaved
          error={save.error}
          kept="my text"
          isReading={isReading}
          onRead={onRead}
          onConfirmed={saveAgain}
          onLeave={keep}
        />
      )}
      {save.isSuccess && draft === undefined && <GoodNotice title="The link map is saved" />}
      {hasDraft && (
        <section className="map-save" aria-label="Changes">
          {review === undefined ? (
            <p role="status">
              {merge && errorCount === 0
                ? 'Not saved yet. Correct the text where it should be otherwise, then save it.'
                : errorCount > 0
                  ? `Not saved yet. ${errorCount === 1 ? '1 error has' : `${errorCount} errors have`} to be corrected first.`
                  : 'Not saved yet. Look at what changes before you save it.'}
            </p>
          ) : (
            <ChangeList changes={review} />
          )}
          <button type="button" className="button" {...atWork(save.isPending)} onClick={discard}>
            Discard
          </button>
          {merge ? (
            <button
              type="button"
              className="button button-primary"
              disabled={errorCount > 0}
              {...atWork(save.isPending)}
              onClick={saveMerged}
            >
              {save.isPending ? 'Saving…' : 'Save merged'}
            </button>
          ) : review === undefined ? (
            <button
              type="button"
              className="button button-primary"
              disabled={errorCount > 0}
              onClick={() => compare(true)}
            >
              Review changes
            </button>
          ) : (
            <>
              <button
                type="button"
                className="button"
                {...atWork(save.isPending)}
                onClick={() => compare(false)}
              >
                Back to editing
              </button>
              {typeof review !== 'string' && (
                <button
                  type="button"
                  className="button button-primary"
                  {...atWork(save.isPending)}
                  onClick={() => save.mutate(review.entries, { onSuccess: finish })}
                >
                  {save.isPending ? 'Saving…' : 'Save changes'}
                </button>
              )}
            </>
          )}
        </section>
      )}
    </>
  )
}

interface KeptNoticeProps {
  kept: [key: string, text: KeptText]
  count: number
  onForget(key: string): void
  onBringBack(key: string, text: KeptText): void
}

/** Offers the newest text first; the next one after it was saved, discarded or forgotten. */
function KeptNotice({ kept: [key, text], count, onForget, onBringBack }: KeptNoticeProps) {
  return (
    <GoodNotice tone="plain" title="You left before you had saved">
      <p>
        {count === 1
          ? 'Your text is kept.'
          : `${count} texts are kept, from ${count} tabs. This is the newest.`}
      </p>
      <div className="actions">
        <button type="button" className="button" onClick={() => onForget(key)}>
          Forget
        </button>
        <button type="button" className="button" onClick={() => onBringBack(key, text)}>
          Bring back
        </button>
      </div>
    </GoodNotice>
  )
}
