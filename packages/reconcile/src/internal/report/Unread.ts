/** What was asked about and not read: books of which a part is unknown do not agree, however few records there are. */
import * as Coverage from "@tallystick/core/Coverage"

const operations = ["deposits", "transfers"] as const

const ofRange = (coverage: ReadonlyArray<Coverage.Coverage>, range: Coverage.Interval | undefined) =>
  coverage.filter(({ from, to }) => from < to && (range === undefined || (to > range.from && from < range.to)))

/** The operations of which nothing in the range was read completely: not even what is settled by now. */
export const operationsUnread = (
  coverage: ReadonlyArray<Coverage.Coverage>,
  range: Coverage.Interval | undefined
): ReadonlyArray<Coverage.Coverage["operation"]> => {
  const read = ofRange(coverage, range).filter(({ state }) => state === "complete")
  return operations.filter((operation) => !read.some((one) => one.operation === operation))
}

/** Records that are too young say nothing about books of which nothing else was read. */
const unsettled = (part: Coverage.Coverage): Coverage.Coverage =>
  part.state === "incomplete" ? part : {
    ...part,
    state: "incomplete",
    gap: { code: "not-read", detail: "too young to be settled: later records may still appear" }
  }

/**
 * The gaps inside the range, in the order of `coverage`, and the parts of it that nobody asked for at all. Without a
 * range the edges of what was read are nobody's question: only an operation of which nothing was read counts.
 */
export const make = (
  coverage: ReadonlyArray<Coverage.Coverage>,
  range: Coverage.Interval | undefined
): ReadonlyArray<Coverage.Coverage> => {
  const within = ofRange(coverage, range)
  const unread = operationsUnread(coverage, range)
  const gaps = within.filter(({ operation, state }) =>
    unread.includes(operation) || (state === "incomplete" && range !== undefined)
  ).map(unsettled)
  const spoken = within.map((one): Coverage.Coverage => Object.assign({}, one, { state: "complete" }))
  const holes = operations.flatMap((operation) => {
    const asked = spoken.filter((one) => one.operation === operation)
    // Nothing can be read of a range that is none.
    if (range !== undefined && range.from < range.to) {
      return Coverage.uncovered(asked, range).map(({ from, to }) => ({ operation, from, to }))
    }
    return asked.length === 0 || range !== undefined ? [{ operation, from: 0, to: 0 }] : []
  })
  const unasked = holes.map(({ from, operation, to }): Coverage.Coverage => ({
    operation,
    from,
    to,
    readAt: 0,
    state: "incomplete",
    gap: { code: "not-read", detail: "nobody asked for all of it" }
  }))
  return [...gaps, ...unasked]
}
