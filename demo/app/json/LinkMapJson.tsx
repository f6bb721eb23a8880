// The link map as JSON: edited as one text, checked by a schema, compared with what is saved before it is saved.
import { type LinkMap, useAuthHook, useLinkMap, useSaveLinkMap, useUser } from 'latchkey'
import { JsonEditor, type JsonEditorHandle, type JsonFault } from 'latchkey/editor'
import { useCallback, useRef, useState } from 'react'
import { appConfig } from 'virtual:app-config'
import { KeptNotice } from '../cloud/KeptNotice.tsx'
import { forget, keepText, type KeptText, readTexts } from '../cloud/linkMapDraft.ts'
import { LinkMapNotSaved } from '../cloud/LinkMapNotSaved.tsx'
import { Button } from '../parts/Button.tsx'
import { Card } from '../parts/Card.tsx'
import { Notice } from '../parts/Notice.tsx'
import { Reading } from '../parts/Reading.tsx'
import { ChangeList } from './ChangeList.tsx'
import { LINK_MAP_SCHEMA } from './linkMapSchema.ts'
import type { MapRow } from '../cloud/mapRows.ts'
import { findChanges, type MapChanges, mergeMaps, toText } from './mapChanges.ts'
import './json.css'

export interface LinkMapJsonProps {
  isReadOnly: boolean
  /** Something was typed that is not saved, or not any more. */
  onDraft(hasDraft: boolean): void
}

export function LinkMapJson(props: LinkMapJsonProps) {
  const linkMap = useLinkMap()
  const { isFetching, refetch } = linkMap
  return (
    <Card
      title="One text"
      about={
        props.isReadOnly
          ? 'The links of your firm. Only an administrator may change them.'
          : 'The links of your firm. Users missing here are unlinked.'
      }
    >
      <Reading
        of={linkMap}
        what="the link map"
        count={6}
        forbidden="Only staff of the firm may see its link map."
      >
        {(map) => (
          <MapEditor
            {...props}
            map={map}
            isReading={isFetching}
            onRead={async () => (await refetch()).data}
          />
        )}
      </Reading>
    </Card>
  )
}

interface MapEditorProps extends LinkMapJsonProps {
  map: LinkMap
  isReading: boolean
  onRead(): Promise<LinkMap | undefined>
}

function MapEditor({ map, isReadOnly, isReading, onDraft, onRead }: MapEditorProps) {
  const editor = useRef<JsonEditorHandle>(null)
  const [base, setBase] = useState(map)
  const [draft, setDraft] = useState<string>()
  const [faults, setFaults] = useState<readonly JsonFault[]>([])
  const [review, setReview] = useState<MapChanges | string>()
  /** Users whose link a colleague has changed too, each otherwise. */
  const [disputed, setDisputed] = useState<readonly MapRow[]>([])
  const save = useSaveLinkMap({ base })
  const hasDraft = draft !== undefined
  // What was typed was typed on top of this map: it stays, whatever is read meanwhile, until the user has it read again.
  if (base !== map && !hasDraft && !save.isPending) setBase(map)
  const saved = toText(base)
  const text = draft ?? saved
  const user = useUser()
  const [kept, setKept] = useState(() => readTexts(user))
  const [first] = kept
  useAuthHook(
    'beforeLogout',
    useCallback(
      ({ user: owner }) => owner && draft !== undefined && keepText(owner, { text: draft, base }),
      [draft, base],
    ),
  )
  const errorCount = faults.filter(({ severity }) => severity === 'error').length

  const change = (next: string) => {
    save.reset()
    setReview(undefined)
    setDraft(next === saved ? undefined : next)
    onDraft(next !== saved)
  }
  const compare = (isShown: boolean) => {
    setReview(isShown ? findChanges(base, editor.current!.getValue()) : undefined)
    editor.current!.compare(isShown)
  }
  const finish = () => {
    compare(false)
    setDisputed([])
    setDraft(undefined)
    onDraft(false)
  }
  const letGo = (key: string) => {
    forget(key)
    setKept(kept.filter(([other]) => other !== key))
  }
  /** Merges a text that began from an earlier map with the map that is saved now; the user reviews the result. */
  const merge = ({ text: mine, base: from }: KeptText, theirs: LinkMap) => {
    const typed = findChanges(from, mine)
    const both = typeof typed === 'string' ? undefined : mergeMaps(from, typed.entries, theirs)
    const next = both?.text ?? mine
    save.reset()
    setBase(theirs)
    setDraft(next)
    setDisputed(both?.disputed ?? [])
    setReview(findChanges(theirs, next))
    onDraft(true)
  }
  const bringBack = (key: string, mine: KeptText) => {
    letGo(key)
    merge(mine, map)
  }
  const readAgain = async () => {
    const theirs = await onRead()
    if (theirs) merge({ text, base }, theirs)
  }
  const saveAgain = () => save.variables && save.mutate(save.variables, { onSuccess: finish })
  const discard = () => {
    save.reset()
    finish()
  }
  return (
    <>
      {!isReadOnly && first && !hasDraft && (
        <KeptNotice
          text={kept.length === 1 ? 'Your text is kept.' : `${kept.length} texts are kept, one of each tab.`}
          onForget={() => letGo(first[0])}
          onBringBack={() => bringBack(...first)}
        />
      )}
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
      {save.error && (
        <LinkMapNotSaved
          error={save.error}
          kept="my text"
          isReading={isReading}
          onRead={() => void readAgain()}
          onConfirmed={saveAgain}
          onLeave={() => keepText(user, { text, base })}
        />
      )}
      {save.isSuccess && !hasDraft && <Notice tone="good" title="The link map is saved" />}
      {hasDraft && (
        <section className="map-save" aria-label="Changes">
          {review === undefined ? (
            <p role="status">
              {errorCount > 0
                ? `Not saved yet. ${errorCount === 1 ? '1 error has' : `${errorCount} errors have`} to be corrected first.`
                : 'Not saved yet. Look at what changes before you save it.'}
            </p>
          ) : (
            <ChangeList changes={review} />
          )}
          {disputed.length > 0 && (
            <p>
              <strong>Both of you changed {disputed.map(({ name }) => name).join(', ')}.</strong> The text has
              it your way.
            </p>
          )}
          <Button isBusy={save.isPending} onClick={discard}>
            Discard
          </Button>
          {review === undefined ? (
            <Button tone="primary" disabled={errorCount > 0} onClick={() => compare(true)}>
              Review changes
            </Button>
          ) : (
            <Button isBusy={save.isPending} onClick={() => compare(false)}>
              Back to editing
            </Button>
          )}
          {typeof review === 'object' && (
            <Button
              tone="primary"
              isBusy={save.isPending}
              onClick={() => save.mutate(review.entries, { onSuccess: finish })}
            >
              {save.isPending ? 'Saving…' : 'Save changes'}
            </Button>
          )}
        </section>
      )}
    </>
  )
}
