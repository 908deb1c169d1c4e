/**
 * Declares the metrics of an archive. A sync counts its rounds for any exporter that a program has; `Gauges` reads the others, which
 * `Prometheus` tells. Times are Unix seconds.
 */
import * as Metric from "effect/Metric"

/** A round takes seconds to minutes; the first one of a long history takes an hour, seconds. */
const durations = [1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600]

/**
 * Counts the rounds of sync that ended, by `outcome`: `ok`; `gaps` where something that was asked for is not proven complete; `doubtful`
 * where everything was read, but a clock is wrong, hardly anything was shown again, or the list of accounts is in doubt; else the tag of
 * the reason for which the round failed, `interrupted` or `defect`.
 */
export const rounds = Metric.counter("tallystick.sync.rounds", {
  description: "Rounds of sync that ended",
  attributes: { unit: "{round}" },
  incremental: true
})

/** Measures how long a round of sync took, whatever came of it, seconds. */
export const roundDuration = Metric.histogram("tallystick.sync.round.duration", {
  description: "Duration of rounds of sync",
  attributes: { unit: "s" },
  boundaries: durations
})

/** Counts the records that the archive did not know before, of all rounds that did not fail. */
export const recordsAdded = Metric.counter("tallystick.sync.records.added", {
  description: "Records that the archive did not know before",
  attributes: { unit: "{record}" },
  incremental: true
})

/** Tells when the last round ended that was not interrupted, by this machine's clock; absent before the first one of this process. */
export const lastRound = Metric.gauge("tallystick.sync.last.round.timestamp", {
  description: "End of the last round of sync",
  attributes: { unit: "s" }
})

/** Tells when the last round ended of which the outcome is `ok`; absent before the first one of this process. */
export const lastSuccess = Metric.gauge("tallystick.sync.last.success.timestamp", {
  description: "End of the last round of sync that left nothing unproven and nothing in doubt",
  attributes: { unit: "s" }
})

/** Tells whether the outcome of the last round is `ok`: 1 or 0. */
export const lastRoundOk = Metric.gauge("tallystick.sync.last.round.success", {
  description: "1 if the last round of sync left nothing unproven and nothing in doubt, else 0"
})

/** Tells how many stretches the last round asked for that are not proven complete. A round that failed leaves it as it was. */
export const gaps = Metric.gauge("tallystick.sync.gaps", {
  description: "Stretches of time that the last round asked for and that are not proven complete",
  attributes: { unit: "{gap}" }
})

/** Tells how many stretches inside of what the archive holds are not complete, whichever round left them. */
export const holes = Metric.gauge("tallystick.sync.holes", {
  description: "Stretches of time that are not complete although later time is",
  attributes: { unit: "{hole}" }
})

/** Tells whether the gauges below could be read from the archive: 1 or 0. Where it is 0, all of them are absent. */
export const archiveRead = Metric.gauge("tallystick.archive.read.success", {
  description: "1 if the facts of the archive could be read, else 0, and then none of them is told"
})

/** Tells when the exchange forgets the first deposit that may be unread; absent as long as nothing was read. */
export const forgets = Metric.gauge("tallystick.exchange.forgets.timestamp", {
  description: "Time at which the exchange forgets the first deposit that may be unread",
  attributes: { unit: "s" }
})

/** Tells when the exchange was read last; absent as long as nothing was. */
export const lastReading = Metric.gauge("tallystick.archive.last.reading.timestamp", {
  description: "Time of the last reading of the exchange that the archive keeps",
  attributes: { unit: "s" }
})

/** Tells when the books were brought forward last; it and all that follow but those of notices are absent before the first execution. */
export const lastExecution = Metric.gauge("tallystick.books.last.execution.timestamp", {
  description: "Time at which the books were brought forward last",
  attributes: { unit: "s" }
})

/** Counts the items that wait in the books, by `state` (`open`, `pending`, `undetermined`) and `code`. */
export const items = Metric.gauge("tallystick.books.items", {
  description: "Items that wait in the books",
  attributes: { unit: "{item}" }
})

/** Tells the time of the earliest entry that waits, by `state`; absent where none does. */
export const oldestItem = Metric.gauge("tallystick.books.oldest.item.timestamp", {
  description: "Time of the earliest entry that waits in the books",
  attributes: { unit: "s" }
})

/**
 * Tells what the entries that wait are worth, by `side` and `state`, and by `currency` where it is known: at the prices of the last
 * execution, and absent where nothing of them has one. Each entry counts whole, also where an item lacks only a part of it: what the
 * differences of items are worth is in `ItemPages.summary`. It is rounded to the nearest binary number; reports have the exact one.
 */
export const worth = Metric.gauge("tallystick.books.worth", {
  description:
    "Worth of the entries that wait in the books, of those with a price; each counts whole, not by the difference of its item"
})

/** Counts the entries that wait and of which the asset has no price, by `side` and `state`; absent where the worth is. */
export const unpriced = Metric.gauge("tallystick.books.unpriced.entries", {
  description: "Entries that wait in the books without a price, which their worth lacks",
  attributes: { unit: "{entry}" }
})

/** Tells how much time of the executions was not read when it was judged last, seconds. */
export const unread = Metric.gauge("tallystick.books.unread", {
  description: "Time of the books that was not read when it was judged last",
  attributes: { unit: "s" }
})

/** Counts the notices that were written and not sent yet, of all destinations. */
export const noticesWaiting = Metric.gauge("tallystick.notices.waiting", {
  description: "Notices that were not sent yet",
  attributes: { unit: "{notice}" }
})

/** Tells when the first of the notices that wait was written; absent where none waits. */
export const oldestNotice = Metric.gauge("tallystick.notices.oldest.timestamp", {
  description: "Time at which the first notice was written that was not sent yet",
  attributes: { unit: "s" }
})
