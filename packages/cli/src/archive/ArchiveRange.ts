/** The stretch of time that a run over the archive is about. */
import * as Archive from "@tallystick/archive/Archive"
import * as Status from "@tallystick/archive/Status"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Accounts from "@tallystick/reconcile/Accounts"
import * as BrokerSource from "@tallystick/reconcile/BrokerSource"
import type * as Policy from "@tallystick/reconcile/Policy"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Failure from "../Failure.ts"
import * as AskedRange from "../flags/AskedRange.ts"
import * as CoverageText from "./CoverageText.ts"

const DAY = 86_400_000

/** The first moment that a file could speak of, for what has no beginning. */
const START = 0

/** The policy and the accounts of a run: they say which transfers had to be asked for. */
export interface About {
  readonly policy: Policy.Resolved
  readonly accounts: Accounts.Accounts
}

const isUnread = ({ parts }: Status.Scope): boolean => parts.every(({ state }) => state === "unread")

/** The end of what is complete on both sides, Unix ms. Fails naming what is complete nowhere. */
const completeTo = Effect.fnUntraced(function*({ accounts, policy }: About, from: number | undefined) {
  const archive = yield* Archive.Archive
  const coverage = yield* archive.coverage()
  const interval = { from: START, to: coverage.reduce((latest, part) => Math.max(latest, part.to), 1) }
  const deposits = Status.scopes("deposits", coverage, interval)
  const transfers = Status.scopes("transfers", coverage, interval, BrokerSource.queries(policy, accounts))
  const [left, right] = [Status.completeTo(deposits), Status.completeTo(transfers)]
  if (left !== null && right !== null) return Math.min(left, right)
  const lacking = (left === null ? deposits : transfers).filter(({ completeTo }) => completeTo === null)
  const what = left === null ? "deposits" : CoverageText.about("transfers", lacking.flatMap(({ query }) => query ?? []))
  return yield* Failure.usage(
    `nothing in the archive is complete on both sides: ${
      lacking.every(isUnread) ? `${what} were never read` : `of ${what} nothing is`
    }; run tallystick sync, or ${
      from === undefined ? "say which range, with --day or --from and --to" : "say where the range ends too, with --to"
    }`
  )
})

/**
 * The range that was asked for; without a beginning the 24 hours before its end, without an end as far as both sides are complete.
 * Fails for one that has not begun.
 */
export const bounded = Effect.fnUntraced(function*({ from, to }: AskedRange.Asked, about: About) {
  if (from !== undefined) yield* AskedRange.bounded({ from, to })
  if (from !== undefined && to !== undefined) return { from, to } satisfies Coverage.Interval
  const end = to ?? (yield* completeTo(about, from))
  if (from === undefined) return { from: Math.max(end - DAY, START), to: end }
  // Nothing behind the end of what is complete can be decided; outcomes say so where it is asked for.
  return { from, to: from < end ? end : Math.max(from + 1, yield* Clock.currentTimeMillis) }
})
