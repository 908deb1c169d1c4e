/** A slice reader over a function that answers pages. */
import type * as BadRecord from "@tallystick/core/BadRecord"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Page from "@tallystick/core/Page"
import * as Effect from "effect/Effect"
import * as PageLengths from "../../src/internal/paging/PageLengths.ts"
import type * as Reading from "../../src/internal/paging/Reading.ts"
import * as SliceReader from "../../src/internal/paging/SliceReader.ts"

export interface Row {
  readonly id: string
  readonly t: number
  readonly v?: string
}

export interface Asked {
  readonly start: number
  readonly end: number
  readonly page: number
  /** How long pages should be; absent: as the service likes. */
  readonly limit?: number
  /** How many requests came before. */
  readonly n: number
}

interface Options {
  readonly twins?: "same" | "several"
  readonly looksCut?: (length: number) => boolean
  readonly oldest?: number
  readonly content?: (row: Row) => string
  readonly most?: { readonly requests: number; readonly records: number }
}

export const bad = (raw: string): BadRecord.BadRecord => ({
  side: "deposit",
  source: "page",
  path: "",
  reason: "",
  raw
})

/** A reader over a function that answers pages, and what it was asked. */
export const reader = (serve: (asked: Asked) => Page.Page<Row> | Coverage.Gap, options: Options = {}) => {
  const asked: Array<Asked> = []
  const lengths = PageLengths.make()
  const { check, read } = SliceReader.make<Row, never>(
    {
      page: (start, end, { limit, page: number = 1 }) =>
        Effect.sync(() => {
          const one = { start, end, page: number, n: asked.length, ...(limit === undefined ? {} : { limit }) }
          asked.push(one)
          const served = serve(one)
          const at = { earliest: 1000 + one.n, latest: 2000 + one.n }
          return "code" in served ? { page: page([]), at, failed: served } : { page: served, at }
        }),
      oldest: options.oldest,
      time: ({ t }) => t,
      badTime: (raw) => /^\d+$/.test(raw) ? Number(raw) : undefined,
      identity: ({ id }) => id,
      content: options.content,
      mark: ({ id }: Row) => id.slice(0, 1),
      twins: options.twins ?? "same",
      looksCut: options.looksCut ?? (() => false)
    },
    lengths,
    options.most
  )
  return { check, read, asked, lengths }
}

export const rows = (...times: ReadonlyArray<number>): ReadonlyArray<Row> =>
  times.map((t, index) => ({ id: `r${index}`, t }))

export const page = (records: ReadonlyArray<Row>, more: Partial<Page.Page<Row>> = {}): Page.Page<Row> => ({
  records,
  bad: [],
  ...more
})

export const failed: Coverage.Gap = { code: "failed-page", detail: "down" }

/** The list of the contract over `all`: ends inclusive, pages of `limit`. */
export const list = (all: ReadonlyArray<Row>, limit: number) => ({ end, page: number, start }: Asked) =>
  page(all.filter(({ t }) => t >= start && t <= end).slice((number - 1) * limit, number * limit))

export const idsOf = (reading: Reading.Reading<Row>) => reading.records.map(({ id }) => id).toSorted()
export const all = (count: number) => Array.from({ length: count }, (_, index) => `r${index}`).toSorted()
