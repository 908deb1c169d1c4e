/** Facts of a site of every kind, in which every text is one and the same. */
import type * as BookSite from "@tallystick/report/BookSite"
import * as BookSample from "../../../reconcile/test/bookSample.ts"
import * as Sample from "../../../reconcile/test/reportSample.ts"

const DAY = 86_400_000

const START = Date.UTC(2026, 10, 16)

/** The facts, with a text in the place of every text that a stranger may have chosen. */
export const of = (text: string) => {
  const entry = { side: "deposit", id: text, asset: text, amount: "1.5", account: text } as const
  const difference = { asset: text, missing: "1.5", excess: "0", bound: "at most" } as const
  const item = (state: BookSite.Waiting, code: BookSite.Code): BookSite.Item => ({
    id: "i0123456789abcdef",
    state,
    code,
    at: START + 1,
    deposits: 1,
    transfers: 2,
    first: entry,
    difference,
    worth: "97500.18",
    decided: state === "open" ? "noted" : "none"
  })
  const judged = (day: number, length = DAY): BookSite.Judged => ({
    from: START + day * DAY,
    to: START + day * DAY + length,
    execution: 4,
    madeAt: START + 5 * DAY,
    by: text,
    run: text
  })
  const day = (number: number, more: Partial<BookSite.Day> = {}): BookSite.Day => ({
    day: `2026-11-${16 + number}`,
    from: START + number * DAY,
    to: START + (number + 1) * DAY,
    judged: [judged(number)],
    unread: [],
    unsettled: [],
    due: [],
    unreadable: [],
    items: [],
    ...more
  })
  const days = [
    day(0, { items: [item("open", "missing-transfer"), item("pending", "in-flight"), item("undetermined", "gone")] }),
    day(1),
    day(2, {
      unread: [{ from: START + 2 * DAY, to: START + 2 * DAY + 5 }],
      unreadable: [{ id: text, kind: "record", text }]
    }),
    day(3, { judged: [judged(3, 100)] }),
    day(5, { due: [{ from: START + 5 * DAY, to: START + 6 * DAY }] }),
    day(6, { unsettled: [{ execution: 4, operation: "transfers", from: START + 7 * DAY, to: START + 8 * DAY }] })
  ]
  const sums = { items: 2, worth: "97500.185", worthBound: "at most", unpriced: 1 } as const
  const bounds = [0, 1, 3, 7, 30].map((days) => days * DAY)
  const ages = bounds.map((from, index) => Object.assign({ from, before: bounds[index + 1] }, sums))
  const index: BookSite.Index = {
    archive: text,
    ledger: { number: 4, id: "0".repeat(64) },
    readAt: START,
    last: judged(3),
    days,
    open: { at: START + 5 * DAY, ages, total: sums },
    undetermined: { at: START + 5 * DAY, ages, total: sums },
    pending: 1,
    pricedAt: START,
    withoutPrice: [text],
    most: [item("open", "amount-mismatch")],
    withoutEntries: [{ id: text, kind: "record", text }],
    books: BookSample.valued,
    periods: [{ ...judged(0), number: 2, closedAt: START, by: text, carried: 3, standing: text, isBroken: true }]
  }
  const story = (state: BookSite.State): BookSite.Story => ({
    id: "i0123456789abcdef",
    state,
    code: state === "open" ? "missing-transfer" : "exact",
    by: { execution: 4, at: START + DAY },
    since: { execution: 1 },
    day: "2026-11-16",
    at: START,
    outcome: Sample.report().outcomes.find(({ outcome }) => outcome === "discrepancy"),
    difference,
    worth: "97500.18",
    others: [],
    entries: [{ ...entry, at: START }],
    history: [{ ...entry, made: { execution: 1, at: START }, state, code: "gone" }],
    untold: 2,
    decisions: [{ at: START, text }]
  })
  const look: BookSite.Look = { title: text, currency: text }
  return { index, days, story, look }
}
