/** What was asked about and not read: books of which a part is unknown do not agree, however few records there are. */
import type * as Coverage from "@tallystick/core/Coverage"

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
 * The gaps inside the range, in the order of `coverage`, and a gap for an operation that nobody asked at all. Without a
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
  const unasked = unread
    .filter((operation) => !within.some((one) => one.operation === operation))
    .map((operation): Coverage.Coverage => ({
      operation,
      from: range?.from ?? 0,
      to: range?.to ?? 0,
      readAt: 0,
      state: "incomplete",
      gap: { code: "not-read", detail: "nothing was read" }
    }))
  return [...gaps, ...unasked]
}
