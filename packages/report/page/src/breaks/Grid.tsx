/** The list: only what is near the view is in the page, however many rows there are. The page scrolls, and not the list in it. */
import { useContext, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks"
import type { Book, Line } from "../Book.ts"
import { Clock } from "../Clock.ts"
import { useWindowRows } from "../components/WindowRows.ts"
import * as Columns from "./Columns.tsx"
import { Details } from "./Details.tsx"
import { folding, type Item } from "./Folding.ts"
import { idOf, Row } from "./Row.tsx"
import type { Key, Order } from "./Sorting.ts"

/** More than every browser can scroll through: elements have a greatest height. */
export const MOST = 120_000

/** Heights that most rows have, px: with all columns, and as cards. */
const ESTIMATES = { table: 62, cards: 132 } as const

/** The height of the titles of the columns, px. */
const TITLES = 36

interface Props {
  readonly book: Book
  readonly lines: ReadonlyArray<Line>
  readonly order: Order
  readonly onOrder: (key: Key) => void
  /** Whether a row is a card, because there is no room for columns. */
  readonly cards: boolean
}

const ariaSort = (order: Order, key: Key | undefined): "ascending" | "descending" | "none" =>
  key === undefined || order.key !== key ? "none" : order.descending ? "descending" : "ascending"

const arrows = { ascending: "\u2191", descending: "\u2193", none: "" } as const

const moves: Readonly<Record<string, (active: number, page: number, last: number) => number>> = {
  ArrowDown: (active) => active + 1,
  ArrowUp: (active) => active - 1,
  PageDown: (active, page) => active + page,
  PageUp: (active, page) => active - page,
  Home: () => 0,
  End: (_active, _page, last) => last
}

/** What a key does to a row: closed rows are opened, and open ones closed. */
const toggles: Readonly<Record<string, (isOpen: boolean) => boolean>> = {
  Enter: () => true,
  " ": () => true,
  ArrowRight: (isOpen) => !isOpen,
  ArrowLeft: (isOpen) => isOpen
}

const isSelecting = (): boolean => getSelection()?.isCollapsed === false

const none: ReadonlySet<string> = new Set()

/** The set with the key, or without it where it had it. */
const toggled = (keys: ReadonlySet<string>, key: string): ReadonlySet<string> =>
  new Set(keys.has(key) ? Array.from(keys).filter((one) => one !== key) : [...keys, key])

export const Grid = ({ book, cards, lines, onOrder, order }: Props) => {
  const times = useContext(Clock)
  const columns = useMemo(() => Columns.make(book, times), [book, times])
  const folds = useMemo(() => folding(book, times), [book, times])
  const grid = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState(0)
  const [open, setOpen] = useState<string | null>(null)
  const [unfolded, setUnfolded] = useState(none)

  const folded = useMemo(() => folds.fold(lines), [folds, lines])
  const items = useMemo(() => folds.unfolded(folded, unfolded).slice(0, MOST), [folds, folded, unfolded])
  const keys = useMemo(() => items.map(({ key }) => key), [items])
  const last = items.length - 1
  const rows = useWindowRows({
    keys,
    estimate: cards ? ESTIMATES.cards : ESTIMATES.table,
    covered: cards ? 0 : TITLES
  })

  // A new list begins at its top.
  useLayoutEffect(() => {
    setActive(0)
    setOpen(null)
    setUnfolded(none)
  }, [lines])

  const isOpen = ({ key }: Item): boolean => key === open || unfolded.has(key)

  const toggle = (index: number): void => {
    const item = items[index]
    if (item === undefined) return
    setActive(index)
    if (item.type === "fold") setUnfolded(toggled(unfolded, item.key))
    else setOpen(open === item.key ? null : item.key)
  }

  const onClick = ({ target }: MouseEvent): void => {
    const clicked = target instanceof Element ? target.closest("[role=row].line") : null
    if (clicked !== null && !isSelecting()) toggle(Number(clicked.getAttribute("aria-rowindex")) - 2)
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, target } = event
    if (key === "Escape" && open !== null) {
      event.preventDefault()
      setActive(Math.max(0, keys.indexOf(open)))
      setOpen(null)
      grid.current?.focus({ preventScroll: true })
      return
    }
    if (target !== grid.current) return
    const move = moves[key]
    const item = items[active]
    if (move !== undefined) {
      event.preventDefault()
      const next = Math.min(last, Math.max(0, move(active, rows.page(), last)))
      setActive(next)
      rows.reveal(next)
    } else if (item !== undefined && toggles[key]?.(isOpen(item)) === true) {
      event.preventDefault()
      toggle(active)
    }
  }

  const inView = items.slice(rows.first, rows.end + 1)
  const activeItem = active >= rows.first && active <= rows.end ? items[active] : undefined
  const template = columns.map(({ width }) => width).join(" ")
  return (
    <div
      ref={grid}
      class={cards ? "grid cards" : "grid"}
      role="treegrid"
      aria-label="Outcomes"
      // The list keeps the focus and names the row: rows come and go.
      tabIndex={0}
      aria-activedescendant={activeItem === undefined ? undefined : idOf(activeItem)}
      aria-rowcount={items.length + 1}
      aria-colcount={columns.length}
      style={{ "--columns": template }}
      onKeyDown={onKeyDown}
    >
      <div role="rowgroup" class="header">
        <div role="row" aria-rowindex={1} class="row">
          {columns.map(({ name, numeric, sort, title }) => (
            <div
              key={name}
              role="columnheader"
              class={`cell c-${name}${numeric ? " number" : ""}`}
              aria-sort={ariaSort(order, sort)}
            >
              {sort === undefined ?
                title :
                (
                  <button type="button" tabIndex={cards ? -1 : 0} onClick={() => onOrder(sort)}>
                    {title}
                    <span class="arrow" aria-hidden="true">{arrows[ariaSort(order, sort)]}</span>
                  </button>
                )}
            </div>
          ))}
        </div>
      </div>
      <div ref={rows.body} role="rowgroup" class="body" style={{ height: `${rows.total}px` }} onClick={onClick}>
        <div ref={rows.rows} role="none" class="rows" style={{ transform: `translateY(${rows.offset}px)` }}>
          {inView.map((item, place) => {
            const index = rows.first + place
            return (
              <div key={item.key} role="none" data-index={index}>
                <Row item={item} columns={columns} index={index} active={index === active} open={isOpen(item)} />
                {item.type === "break" && item.key === open
                  ? (
                    <div role="row" class="opened" aria-rowindex={index + 2} aria-level={item.level + 1}>
                      <div role="gridcell" aria-colspan={columns.length}>
                        <Details
                          outcome={book.reader.outcome(book.row(item.line))}
                          worth={item.line.worth}
                          summary={book.facts.summary}
                        />
                      </div>
                    </div>
                  )
                  : null}
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}
