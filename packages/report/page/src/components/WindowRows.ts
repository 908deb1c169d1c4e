/**
 * A list that the page scrolls through, of which only the rows near the view are in the page. Rows have any height: it is guessed until they are
 * shown, and what is in view stays where it is when a guess above it was wrong.
 */
import { type RefObject } from "preact"
import { useCallback, useLayoutEffect, useMemo, useReducer, useRef, useState } from "preact/hooks"
import * as Heights from "./Heights.ts"

/** Rows beyond the edges of the view that are there already. */
const MARGIN = 8

export interface WindowRows {
  /** Goes to the element that is as high as the whole list. */
  readonly body: RefObject<HTMLDivElement | null>
  /** Goes to the element that holds the rows from `first` to `end`, each an element with its index in `data-index`. */
  readonly rows: RefObject<HTMLDivElement | null>
  readonly first: number
  readonly end: number
  /** Where the row `first` begins in the list, px. */
  readonly offset: number
  /** The height of the whole list, px. */
  readonly total: number
  /** Scrolls the page, if need be, so that a row is in view. */
  readonly reveal: (index: number) => void
  /** The number of rows that fill a view. */
  readonly page: () => number
}

interface Options {
  /** What each row is, in their order: the height of a row that was shown is known as long as its key is. */
  readonly keys: ReadonlyArray<string>
  /** A guess, px. */
  readonly estimate: number
  /** What covers the top of the view, such as titles of columns, px. */
  readonly covered: number
}

const seenOf = (body: HTMLElement) => {
  const { top, width } = body.getBoundingClientRect()
  return { top: Math.max(0, -top), bottom: Math.max(0, innerHeight - top), width }
}

export const useWindowRows = ({ covered, estimate, keys }: Options): WindowRows => {
  const body = useRef<HTMLDivElement>(null)
  const rows = useRef<HTMLDivElement>(null)
  const known = useRef(new Map<string, number>())
  const wanted = useRef<number | null>(null)
  const [seen, see] = useState({ top: 0, bottom: 900, width: 0 })
  const [, again] = useReducer((times: number) => times + 1, 0)
  const heights = useMemo(
    () => Heights.make(keys.length, (index) => known.current.get(keys[index] ?? "") ?? estimate),
    [keys, estimate, seen.width]
  )
  const last = keys.length - 1
  const first = Math.max(0, heights.at(seen.top) - MARGIN)
  const end = Math.min(last, heights.at(seen.bottom) + MARGIN)

  useLayoutEffect(() => {
    const element = body.current
    if (element === null) return undefined
    const look = (): void => {
      const now = seenOf(element)
      see((before) => {
        if (before.top === now.top && before.bottom === now.bottom && before.width === now.width) return before
        // At another width lines break elsewhere.
        if (before.width !== now.width) known.current.clear()
        return now
      })
    }
    const observer = new ResizeObserver(look)
    observer.observe(element)
    addEventListener("scroll", look, { passive: true })
    addEventListener("resize", look)
    look()
    return () => {
      observer.disconnect()
      removeEventListener("scroll", look)
      removeEventListener("resize", look)
    }
  }, [])

  const show = useCallback((index: number): void => {
    const element = body.current
    if (element === null) return
    const { top: begin } = element.getBoundingClientRect()
    const [top, bottom] = [begin + heights.top(index), begin + heights.top(index + 1)]
    if (top < covered) scrollBy(0, top - covered)
    else if (bottom > innerHeight) scrollBy(0, Math.min(bottom - innerHeight, top - covered))
  }, [heights, covered])

  const measure = useCallback((): boolean => {
    const anchor = heights.at(seen.top)
    let [above, changed] = [0, false]
    for (const element of rows.current?.children ?? []) {
      const index = element instanceof HTMLElement ? Number(element.dataset["index"]) : Number.NaN
      const { height } = element.getBoundingClientRect()
      if (Number.isNaN(index) || height === 0) continue
      known.current.set(keys[index] ?? "", height)
      const difference = heights.set(index, height)
      if (difference === 0) continue
      changed = true
      if (index < anchor) above += difference
    }
    if (above !== 0) scrollBy(0, above)
    if (changed) again(0)
    return changed
  }, [heights, keys, seen.top])

  useLayoutEffect(() => {
    const changed = measure()
    const index = wanted.current
    if (index === null) return
    show(index)
    if (!changed && index >= first && index <= end) wanted.current = null
  })

  // An opened row may grow by itself.
  useLayoutEffect(() => {
    const element = rows.current
    if (element === null) return undefined
    const observer = new ResizeObserver(() => void measure())
    observer.observe(element)
    return () => observer.disconnect()
  }, [measure])

  return {
    body,
    rows,
    first,
    end,
    offset: heights.top(first),
    total: heights.total(),
    reveal: (index) => {
      wanted.current = index
      show(index)
      again(0)
    },
    page: () => Math.max(1, heights.at(seen.top + innerHeight) - heights.at(seen.top) - 2)
  }
}
