/** The list: only what is in view is in the page, however many outcomes there are. */
import { useContext, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks"
import type { Book, Line } from "../Book.ts"
import { Clock } from "../Clock.ts"
import * as Columns from "./Columns.tsx"
import { Details } from "./Details.tsx"
import { idOf, Row } from "./Row.tsx"
import type { Key, Order } from "./Sorting.ts"

/** Rows beyond the edges of the view that are there already. */
const MARGIN = 10
/** More than are ever in view. */
const SLOTS = 256
/** What every browser can scroll through: elements have a greatest height. */
export const MOST = 300_000

interface Props {
  readonly book: Book
  readonly lines: ReadonlyArray<Line>
  readonly order: Order
  readonly onOrder: (key: Key) => void
  readonly narrow: boolean
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

const viewOf = ({ clientHeight, clientWidth, scrollTop }: HTMLElement) => ({
  top: scrollTop,
  height: clientHeight,
  width: clientWidth
})

const isSelecting = (): boolean => getSelection()?.isCollapsed === false

export const Grid = ({ book, lines, narrow, onOrder, order }: Props) => {
  const times = useContext(Clock)
  const columns = useMemo(() => Columns.make(book, times), [book, times])
  const scroller = useRef<HTMLDivElement>(null)
  const opened = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 600, width: 800 })
  const [active, setActive] = useState(0)
  const [open, setOpen] = useState<Line | null>(null)
  const [openHeight, setOpenHeight] = useState(0)

  const row = narrow ? 58 : 34
  const shown = lines.length > MOST ? lines.slice(0, MOST) : lines
  const last = shown.length - 1
  const openAt = open === null ? -1 : shown.indexOf(open)
  const extra = openAt < 0 ? 0 : openHeight
  const topOf = (index: number): number => index * row + (openAt >= 0 && index > openAt ? extra : 0)
  const indexAt = (y: number): number =>
    openAt < 0 || y < (openAt + 1) * row
      ? Math.floor(y / row)
      : Math.max(openAt, Math.floor((y - extra) / row))

  // A new list begins at its top.
  useLayoutEffect(() => {
    setActive(0)
    setOpen(null)
    scroller.current?.scrollTo(0, 0)
  }, [lines])

  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return undefined
    const measure = () => setView(viewOf(element))
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [])

  useLayoutEffect(() => {
    const element = opened.current
    if (element === null) {
      setOpenHeight(0)
      return undefined
    }
    const measure = () => setOpenHeight(element.offsetHeight)
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [open, openAt < 0])

  const reveal = (index: number): void => {
    const element = scroller.current
    if (element === null) return
    const header = 36
    const [top, bottom] = [topOf(index), topOf(index) + row]
    if (top < element.scrollTop) element.scrollTop = top
    else if (bottom > element.scrollTop + element.clientHeight - header) {
      element.scrollTop = bottom - element.clientHeight + header
    }
  }

  const toggle = (index: number): void => {
    const line = shown[index]
    if (line === undefined) return
    setActive(index)
    setOpen(open === line ? null : line)
  }

  const onClick = ({ target }: MouseEvent): void => {
    const clicked = target instanceof Element ? target.closest("[role=row].line") : null
    if (clicked !== null && !isSelecting()) toggle(Number(clicked.getAttribute("aria-rowindex")) - 2)
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, target } = event
    if (key === "Escape" && open !== null) {
      event.preventDefault()
      setActive(Math.max(0, openAt))
      setOpen(null)
      scroller.current?.focus()
      return
    }
    if (target !== scroller.current) return
    const move = moves[key]
    if (move !== undefined) {
      event.preventDefault()
      const page = Math.max(1, Math.floor(view.height / row) - 2)
      const next = Math.min(last, Math.max(0, move(active, page, last)))
      setActive(next)
      reveal(next)
    } else if (key === "Enter" || key === " ") {
      event.preventDefault()
      toggle(active)
    }
  }

  const first = Math.max(0, indexAt(view.top) - MARGIN)
  const end = Math.min(last, indexAt(view.top + view.height) + MARGIN)
  const present = new Set(Array.from({ length: Math.max(0, end - first + 1) }, (_, index) => first + index))
  if (active <= last) present.add(active)
  if (openAt >= 0) present.add(openAt)

  const activeLine = shown[active]
  const template = columns.map(({ width }) => width).join(" ")
  return (
    <div
      ref={scroller}
      class={narrow ? "grid narrow" : "grid"}
      role="treegrid"
      aria-label="Outcomes"
      // The list keeps the focus and names the row: rows come and go.
      tabIndex={0}
      aria-activedescendant={activeLine === undefined ? undefined : idOf(activeLine)}
      aria-rowcount={lines.length + 1}
      aria-colcount={columns.length}
      style={{ "--columns": template }}
      onScroll={({ currentTarget }) => setView(viewOf(currentTarget))}
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
              {sort === undefined ? title : (
                <button type="button" onClick={() => onOrder(sort)}>
                  {title}
                  <span class="arrow" aria-hidden="true">{arrows[ariaSort(order, sort)]}</span>
                </button>
              )}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" class="body" style={{ height: `${shown.length * row + extra}px` }} onClick={onClick}>
        {Array.from(present).toSorted((a, b) => a - b).flatMap((index) => {
          const line = shown[index]
          if (line === undefined) return []
          const isOpen = index === openAt
          const inView = index >= first && index <= end
          return [
            <Row
              // The same elements show other outcomes as the list moves.
              key={inView ? `slot ${index % SLOTS}` : `row ${index}`}
              line={line}
              columns={columns}
              index={index}
              top={topOf(index)}
              height={row}
              active={index === active}
              open={isOpen}
            />,
            isOpen
              ? (
                <div
                  key={`${line.id} details`}
                  ref={opened}
                  role="row"
                  class="opened"
                  aria-rowindex={index + 2}
                  style={{ top: `${topOf(index) + row}px` }}
                >
                  <div role="gridcell" aria-colspan={columns.length} style={{ width: `${view.width}px` }}>
                    <Details outcome={book.reader.outcome(book.row(line))} worth={line.worth} />
                  </div>
                </div>
              )
              : null
          ]
        })}
      </div>
    </div>
  )
}
