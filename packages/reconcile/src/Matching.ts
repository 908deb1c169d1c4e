/**
 * The matching engine: entries of two sides in, one outcome for every entry out. Pure and synchronous; the same input
 * in any order gives the same result.
 */
import type * as BadRecord from "@tallystick/core/BadRecord"
import * as Coverage from "@tallystick/core/Coverage"
import * as Result from "effect/Result"
import type * as Accounts from "./Accounts.ts"
import type * as AddressBook from "./AddressBook.ts"
import type * as Entry from "./Entry.ts"
import * as Asides from "./internal/matching/Asides.ts"
import * as Decision from "./internal/matching/Decision.ts"
import * as Finish from "./internal/matching/Finish.ts"
import * as Links from "./internal/matching/Links.ts"
import * as LonePairs from "./internal/matching/LonePairs.ts"
import * as Words from "./internal/matching/Words.ts"
import type * as Outcome from "./Outcome.ts"
import type * as Policy from "./Policy.ts"
import { PolicyError } from "./PolicyError.ts"

export interface Input {
  readonly deposits: ReadonlyArray<Entry.Entry>
  readonly transfers: ReadonlyArray<Entry.Entry>
  readonly bad: ReadonlyArray<BadRecord.BadRecord>
  /** What was read completely. A coverage without `query` speaks about everything of its operation. */
  readonly coverage: ReadonlyArray<Coverage.Coverage>
  readonly policy: Policy.Resolved
  readonly accounts: Accounts.Accounts
  readonly addresses?: AddressBook.AddressBook
  /** Unix ms, `[from, to)`. Entries outside serve as candidates; outcomes that hold none from inside are left out. */
  readonly range?: Coverage.Interval
}

export interface Output {
  /** Ordered by (earliest time, id). */
  readonly outcomes: ReadonlyArray<Outcome.Outcome>
  readonly warnings: ReadonlyArray<string>
}

/** Checks what only the entries can show: links to entries that do not exist, or between assets that differ. */
export const check = ({ deposits, policy, transfers }: Pick<Input, "deposits" | "transfers" | "policy">): Result.Result<
  void,
  PolicyError
> => {
  const issues = Links.issues(policy, deposits, transfers)
  return issues.length === 0 ? Result.succeed(undefined) : Result.fail(new PolicyError({ issues }))
}

/** Gives every entry its outcome. Call `check` first: a link that cannot be followed is only a warning here. */
export const match = (input: Input): Output => {
  const { policy, range } = input
  const coverage = Coverage.merge(input.coverage)
  const { deposits, pairs, transfers } = LonePairs.isPossible(input.deposits, input.transfers)
    ? LonePairs.make(policy).sieve({ ...input, coverage, watermark: Number.POSITIVE_INFINITY })
    : { ...input, pairs: [] }
  const { bad: unusable, conflicts, drafts, repeated, run, warnings } = Decision.decide({
    ...input,
    deposits,
    transfers,
    coverage
  })
  const bad = [...input.bad, ...unusable]
  const count = (side: Entry.Side): number => bad.filter((record) => record.side === side).length
  const counts = { deposit: count("deposit"), transfer: count("transfer") }
  const found = [
    ...pairs,
    ...drafts.filter(Finish.isDrafted(run, range)).map((draft) => Asides.besideBad(counts, Finish.finish(run, draft))),
    ...conflicts.deposit.map((versions) => Asides.conflict("deposit", versions)),
    ...conflicts.transfer.map((versions) => Asides.conflict("transfer", versions)),
    ...bad.map(Asides.numbering())
  ]
  return {
    outcomes: Finish.inOrder(found.filter(Finish.isReported(range))),
    warnings: [...warnings, ...Words.warnings(repeated, bad.length)]
  }
}
