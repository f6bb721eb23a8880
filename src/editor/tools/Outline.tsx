// The tree of the text, to look at and to jump from: only the rows that are seen are there, however large it is.
import {
  type KeyboardEvent,
  type ReactElement,
  type SyntheticEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { formatPath } from '../location.ts'
import { withTexts } from '../messages.ts'
import { createOutline, type Names, type Outline as Tree } from '../outline.ts'
import { adoptStyle } from '../style.ts'
import { OUTLINE_CSS, OUTLINE_MESSAGES } from './outlineLook.ts'
import type { PartProps } from './partProps.ts'
import { reveal } from './reveal.ts'

const ROW_PX = 24
/** No browser draws anything higher. */
const MOST_PX = 10_000_000
/** How many rows a letter is looked for in. */
const REACH = 20_000

const EMPTY = createOutline('', new Int32Array())
/** Of any text: its root, which is open at first. */
const ROOT: Names = { size: 1, label: () => '', parent: () => -1 }

/** The tree of the text as it is now; nothing while it is read or where the text is no JSON. */
function useTree({ state, actions }: PartProps): readonly [Tree, isBroken: boolean] {
  const [read, setRead] = useState<readonly [Tree, boolean]>([EMPTY, false])
  useEffect(() => {
    let version = -1
    let isGone = false
    const look = () => {
      const { isChecking, verdict } = state.view()
      if (isChecking || verdict === 'unknown' || version === state.version()) return
      version = state.version()
      const asked = version
      void actions.ready().then(async (ready) => {
        const found = await ready.outline()
        if (!isGone && asked === state.version())
          setRead(found ? [createOutline(found.of, found.nodes), false] : [EMPTY, verdict !== 'empty'])
      })
    }
    look()
    const stop = state.subscribe(look)
    return () => {
      isGone = true
      stop()
    }
  }, [state, actions])
  return read
}

/** Which rows are open: those at the same paths when the text changes, and again when it is no JSON for a while. */
function useExpanded(tree: Tree) {
  const [kept, keep] = useState<{ tree: Names; ids: ReadonlySet<number> }>({ tree: ROOT, ids: new Set([0]) })
  const isNew = tree.size > 0 && kept.tree !== tree
  const now = isNew ? { tree, ids: tree.sameAs(kept.ids, kept.tree) } : kept
  // In render, as React has it for what is derived from a former render.
  if (isNew) keep(now)
  const expanded = now.ids
  const change = useCallback(
    (ids: readonly number[], isOpen: boolean) => {
      const next = new Set(expanded)
      for (const id of ids) {
        if (isOpen) next.add(id)
        else next.delete(id)
      }
      keep({ tree, ids: next })
    },
    [expanded, tree],
  )
  return [expanded, change] as const
}

/** The rows that are seen, and the way to bring one of them into sight. */
function useWindow(count: number) {
  const box = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState({ top: 0, height: 0 })
  const read = useCallback(() => {
    const { scrollTop: top, clientHeight: height } = box.current!
    setSeen((known) => (known.top === top && known.height === height ? known : { top, height }))
  }, [])
  useLayoutEffect(() => {
    const observer = new ResizeObserver(read)
    observer.observe(box.current!)
    return () => observer.disconnect()
  }, [read])
  const total = Math.max(seen.height, Math.min(count * ROW_PX, MOST_PX))
  const fit = Math.floor(seen.height / ROW_PX)
  const way = Math.max(1, total - seen.height)
  const steps = Math.max(0, count - seen.height / ROW_PX)
  const first = (Math.min(seen.top, way) / way) * steps
  const scrollTo = (row: number) => {
    if (row >= Math.ceil(first) && row < Math.floor(first + seen.height / ROW_PX)) return
    const wanted = row < first ? row : row - fit + 1
    box.current!.scrollTop = (Math.max(0, wanted) / Math.max(1, steps)) * way
  }
  return { box, read, total, first, fit, scrollTo }
}

type Says = typeof OUTLINE_MESSAGES

interface SearchProps {
  readonly say: Says
  readonly onClose: () => void
  /** Goes to the next place; false when there is none. */
  readonly onSearch: (wanted: string) => Promise<boolean>
}

function Search({ say, onClose, onSearch }: SearchProps): ReactElement {
  const [wanted, setWanted] = useState('')
  const [isMissing, setMissing] = useState(false)
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    event.stopPropagation()
    void onSearch(wanted).then((isFound) => setMissing(!isFound))
  }
  return (
    <form role="search" className="lkje-find" onSubmit={submit}>
      <input
        aria-label={say.searchPath}
        placeholder={say.searchPath}
        value={wanted}
        onChange={(event) => {
          setWanted(event.target.value)
          setMissing(false)
        }}
      />
      <button type="submit">{say.findNext}</button>
      <button type="button" onClick={onClose}>
        {say.close}
      </button>
      <span role="status">{isMissing && say.notFound}</span>
    </form>
  )
}

interface RowProps {
  readonly tree: Tree
  readonly id: number
  readonly say: Says
  readonly rowId: string
  readonly isOpen: boolean
  readonly isActive: boolean
  readonly top: number
  readonly onTurn: () => void
  readonly onChoose: () => void
}

function Row({ tree, id, say, rowId, isOpen, isActive, top, onTurn, onChoose }: RowProps): ReactElement {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the tree around it has the keys
    <div
      id={rowId}
      role="treeitem"
      tabIndex={-1}
      aria-level={tree.path(id).length + 1}
      aria-setsize={tree.parent(id) < 0 ? 1 : tree.count(tree.parent(id))}
      aria-posinset={tree.order(id) + 1}
      aria-expanded={tree.count(id) > 0 ? isOpen : undefined}
      aria-selected={isActive}
      title={formatPath(tree.path(id))}
      style={{ top, paddingLeft: 6 + 14 * tree.path(id).length }}
      onClick={({ target }) => ((target as Element).closest('.lkje-turn') ? onTurn() : onChoose())}
    >
      <span className="lkje-turn" aria-hidden="true">
        {tree.count(id) > 0 && (isOpen ? '▾' : '▸')}
      </span>
      <b>{tree.label(id)}</b>{' '}
      {tree.isContainer(id) ? (
        <i>{tree.isObject(id) ? say.keys(tree.count(id)) : say.items(tree.count(id))}</i>
      ) : (
        <code>{tree.value(id)}</code>
      )}
    </div>
  )
}

export function Outline(props: PartProps): ReactElement {
  const { state, root, boxId, messages } = props
  const view = useSyncExternalStore(state.subscribe, state.view, state.view)
  const say = withTexts(OUTLINE_MESSAGES, messages)
  const [tree, isBroken] = useTree(props)
  const [expanded, change] = useExpanded(tree)
  const rows = useMemo(() => tree.rows(expanded), [tree, expanded])
  const [current, setCurrent] = useState(0)
  const { box, read, total, first, fit, scrollTo } = useWindow(rows.length)
  const active = Math.max(0, rows.indexOf(current))
  const seek = useRef<number>(undefined)
  useLayoutEffect(() => adoptStyle(root, OUTLINE_CSS), [root])
  useLayoutEffect(() => {
    // It may have to be opened first.
    if (seek.current === undefined) return
    scrollTo(Math.max(0, rows.indexOf(seek.current)))
    seek.current = undefined
  })

  const goTo = (id: number) => {
    seek.current = id
    setCurrent(id)
  }
  const jump = (id: number, takesFocus: boolean) => {
    reveal(state, ...tree.place(id))
    if (takesFocus) state.surface()?.focus()
  }
  const close = () => {
    state.show({ isOutlined: false })
    state.surface()?.focus()
  }
  const search = async (wanted: string) => {
    const found = await tree.find(wanted, current)
    if (found === undefined) return false
    const above: number[] = []
    for (let at = tree.parent(found); at >= 0; at = tree.parent(at)) above.push(at)
    change(above, true)
    goTo(found)
    jump(found, false)
    return true
  }
  const findByLetter = (letter: string) => {
    const after = [...rows.slice(active + 1, active + REACH), ...rows.slice(0, active)].slice(0, REACH)
    return after.find((id) => tree.label(id).toLowerCase().startsWith(letter.toLowerCase()))
  }
  const press = (event: KeyboardEvent) => {
    const { key } = event
    const id = rows[active]
    if (id === undefined || event.ctrlKey || event.altKey || event.metaKey) return
    const isOpen = expanded.has(id)
    const moves: Record<string, () => unknown> = {
      ArrowDown: () => rows[active + 1],
      ArrowUp: () => rows[active - 1],
      PageDown: () => rows[Math.min(rows.length - 1, active + fit)],
      PageUp: () => rows[Math.max(0, active - fit)],
      Home: () => rows[0],
      End: () => rows.at(-1),
      ArrowRight: () => (isOpen ? (tree.count(id) > 0 ? id + 1 : undefined) : change([id], true)),
      ArrowLeft: () => (isOpen ? change([id], false) : tree.parent(id) >= 0 ? tree.parent(id) : undefined),
      '*': () =>
        change(
          rows.filter((row) => tree.parent(row) === tree.parent(id) && tree.isContainer(row)),
          true,
        ),
      Enter: () => jump(id, true),
      ' ': () => change([id], !isOpen),
      Escape: () => close(),
    }
    const move = moves[key] ?? (key.length === 1 ? () => findByLetter(key) : undefined)
    if (!move) return
    event.preventDefault()
    const next = move()
    if (typeof next === 'number') goTo(next)
  }

  const start = Math.floor(first)
  const shown = rows.slice(start, start + fit + 2).map((id, index) => [id, start + index] as const)
  // A screen reader is told of this one, wherever it is.
  if (rows.length > 0 && !shown.some(([id]) => id === rows[active])) shown.push([rows[active]!, active])
  const rowId = (id: number) => `${boxId}-row-${id}`
  return (
    <div className="lkje-outline">
      <Search say={say} onSearch={search} onClose={close} />
      <div
        ref={box}
        role="tree"
        aria-label={say.outlineOf}
        aria-busy={rows.length === 0 && !isBroken && !view.isEmpty}
        aria-activedescendant={rows.length > 0 ? rowId(rows[active]!) : undefined}
        tabIndex={0}
        onKeyDown={press}
        onScroll={read}
      >
        <div style={{ height: total }}>
          <div className="lkje-rows">
            {shown.map(([id, row]) => (
              <Row
                key={id}
                {...{ tree, id, say }}
                rowId={rowId(id)}
                isOpen={expanded.has(id)}
                isActive={row === active}
                top={(row - first) * ROW_PX}
                onTurn={() => change([id], !expanded.has(id))}
                onChoose={() => {
                  setCurrent(id)
                  jump(id, false)
                }}
              />
            ))}
          </div>
        </div>
        {isBroken && <p>{say.noOutline}</p>}
      </div>
    </div>
  )
}
