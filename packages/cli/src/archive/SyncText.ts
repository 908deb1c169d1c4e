/** What a round of sync did and what it left, in words. */
import type * as Sync from "@tallystick/archive/Sync"
import { scopeOf } from "@tallystick/reconcile/render/table/Scope"
import * as Text from "@tallystick/reconcile/render/Text"
import * as Times from "@tallystick/reconcile/render/Times"

const { bound } = Times.make()

const HOUR = 3_600_000

/** `2026-11-25 09:12 UTC`. */
const minute = (ms: number): string => `${bound(ms).slice(0, 16)} UTC`

const changes = ({ added, bad, changed, vanished }: Sync.Summary): ReadonlyArray<string> => [
  `${Text.count(added)} added`,
  ...(changed === 0 ? [] : [`${Text.count(changed)} changed`]),
  ...(vanished === 0 ? [] : [`${Text.count(vanished)} vanished`]),
  ...(bad === 0 ? [] : [`${Text.count(bad)} could not be read`])
]

const complete = ({ completeTo }: Sync.Summary): string =>
  completeTo === null ? "not everything that was asked for has been read once" : `complete to ${bound(completeTo)} UTC`

/** `1,234 records in 57 pages: 1,200 added, 30 changed; complete to 2026-11-22 09:10:00 UTC`. */
export const done = (summary: Sync.Summary): string =>
  `${Text.counted(summary.records, "record")} in ${Text.counted(summary.pages, "page")}: ${
    changes(summary).join(", ")
  }; ${complete(summary)}`

/** `the service forgets the first unread deposit in 71.9 hours (2026-11-25 09:12 UTC)`. */
export const deadline = (deadline: number, now: number): string =>
  deadline <= now
    ? "the service is forgetting deposits that were never read"
    : `the service forgets the first unread deposit in ${((deadline - now) / HOUR).toFixed(1)} hours (${
      minute(deadline)
    })`

/** What is not proven complete, a line each. */
export const gaps = ({ gaps, lost }: Sync.Summary): ReadonlyArray<string> => [
  ...lost.map(({ from, to }) =>
    `deposits from ${bound(from)} to ${bound(to)} UTC: lost, the service had forgotten them before they were read`
  ),
  ...gaps.map((gap) =>
    `${scopeOf(gap)} from ${bound(gap.from)} to ${bound(gap.to)} UTC: ${gap.gap?.detail ?? "not read"}`
  )
]

/** A round of `--watch` in one line: `2026-11-22 09:12 UTC ok: 3 added; complete to …; 71.9 hours left`. */
export const health = (summary: Sync.Summary): string => {
  const missing = gaps(summary).length
  const state = missing === 0 ? "ok" : Text.counted(missing, "gap")
  const hours = ((summary.deadline - summary.now) / HOUR).toFixed(1)
  return `${minute(summary.now)} ${state}: ${changes(summary).join(", ")}; ${complete(summary)}; ${hours} hours left`
}
