/** What was asked about and not read: books of which a part is unknown do not agree, however few records there are. */
import * as Coverage from "@tallystick/core/Coverage"

const operations = ["deposits", "transfers"] as const

const ofRange = (coverage: ReadonlyArray<Coverage.Coverage>, range: Coverage.Interval | undefined) =>
  range === undefined ? coverage : coverage.filter(({ from, to }) => to > range.from && from < range.to)

/** The operations of which nothing at all was read in the range, not even what is too young to be settled. */
export const operationsUnread = (
  coverage: ReadonlyArray<Coverage.Coverage>,
  range: Coverage.Interval | undefined
): ReadonlyArray<Coverage.Coverage["operation"]> => {
  const read = ofRange(coverage, range).filter(({ state }) => state !== "incomplete")
  return operations.filter((operation) => !read.some((one) => one.operation === operation))
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
    state === "incomplete" && (range !== undefined || unread.includes(operation))
  )
  const spoken = within.map((one): Coverage.Coverage => Object.assign({}, one, { state: "complete" }))
  const holes = operations.flatMap((operation) => {
    const asked = spoken.filter((one) => one.operation === operation)
    if (range !== undefined) return Coverage.uncovered(asked, range).map(({ from, to }) => ({ operation, from, to }))
    return asked.length === 0 ? [{ operation, from: 0, to: 0 }] : []
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
