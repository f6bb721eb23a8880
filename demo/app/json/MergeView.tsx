// A colleague saved first: what they changed, what I changed, and which of it the text below is to hold.
import type { AuthError, LinkMap } from 'latchkey'
import type { JsonEditorHandle } from 'latchkey/editor'
import { type RefObject, useEffect, useRef } from 'react'
import { atWork } from '../parts/atWork.ts'
import { Icon } from '../parts/Icon.tsx'
import type { MapRow } from '../cloud/mapRows.ts'
import { ChangeList } from './ChangeList.tsx'
import { findChanges, toText } from './mapChanges.ts'

export interface Merge {
  /** The conflict that it answers; none for a text that was kept over a sign-out. */
  error: AuthError | undefined
  /** What both began from. */
  base: LinkMap
  /** The text that could not be saved, as it was typed. */
  mine: string
  theirs: LinkMap
  /** Both together. */
  merged: string
  /** Users whose link both have changed. */
  disputed: readonly MapRow[]
}

interface MergeViewProps {
  merge: Merge
  isBusy: boolean
  /** Holds the merged text. */
  editor: RefObject<JsonEditorHandle | null>
  /** This text is to stand in the editor. */
  onPick(text: string): void
}

export function MergeView({ merge, isBusy, editor, onPick }: MergeViewProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { base, mine, theirs, merged, disputed } = merge
  useEffect(() => {
    editor.current?.compare(false)
    // The button that was pressed is gone: the keyboard goes on here, and this is read out. A comparison that closes
    // takes the focus to the editor first.
    const frame = requestAnimationFrame(() => heading.current?.focus())
    return () => cancelAnimationFrame(frame)
  }, [merge, editor])
  const theirText = toText(theirs)
  return (
    <section className="merge" aria-labelledby="merge-title">
      <h3 ref={heading} id="merge-title" tabIndex={-1}>
        <Icon name="alert" /> Somebody else has changed the link map
      </h3>
      <p>
        Nothing was overwritten, and nothing that you typed is lost. The text below begins with both changes:
        look at it, then save it.
      </p>
      {disputed.length > 0 && (
        <p className="merge-disputed">
          <strong>Both of you changed {disputed.map(({ name }) => name).join(', ')}.</strong> The text has it
          your way.
        </p>
      )}
      <div className="merge-sides">
        <Side title="Theirs" base={base} text={theirText} />
        <Side title="Mine" base={base} text={mine} />
      </div>
      <div className="actions">
        <button type="button" className="button" {...atWork(isBusy)} onClick={() => onPick(theirText)}>
          Use theirs
        </button>
        <button type="button" className="button" {...atWork(isBusy)} onClick={() => onPick(mine)}>
          Keep mine
        </button>
        <button type="button" className="button" {...atWork(isBusy)} onClick={() => onPick(merged)}>
          Use both
        </button>
      </div>
    </section>
  )
}

function Side({ title, base, text }: { title: string; base: LinkMap; text: string }) {
  return (
    <section aria-label={title}>
      <h4>{title}</h4>
      <ChangeList changes={findChanges(base, text)} />
      <details>
        <summary>The whole text</summary>
        {/* Scrolled by keyboard too. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <pre tabIndex={0}>{text}</pre>
      </details>
    </section>
  )
}
