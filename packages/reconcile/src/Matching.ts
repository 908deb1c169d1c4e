/**
 * The matching engine: entries of two sides in, one outcome for every entry out. Pure and synchronous; the same input
 * in any order gives the same result.
 */
import type * as BadRecord from "@tallystick/core/BadRecord"
import type * as Coverage from "@tallystick/core/Coverage"
import { InvalidRange } from "@tallystick/core/InvalidRange"
import * as Result from "effect/Result"
import type * as Accounts from "./Accounts.ts"
import type * as AddressBook from "./AddressBook.ts"
import type * as Entry from "./Entry.ts"
import * as Admission from "./internal/engine/ledger/Admission.ts"
import * as Whole from "./internal/engine/stream/Whole.ts"
import * as Links from "./internal/engine/tiers/Links.ts"
import * as Promised from "./internal/Promised.ts"
import type * as Outcome from "./Outcome.ts"
import type * as Policy from "./Policy.ts"
import { PolicyError } from "./PolicyError.ts"

export interface Input {
  readonly deposits: ReadonlyArray<Entry.Entry>
  readonly transfers: ReadonlyArray<Entry.Entry>
  readonly bad: ReadonlyArray<BadRecord.BadRecord>
  /** The coverage: which intervals were read completely. One without a `query` speaks about all records of its operation. */
  readonly coverage: ReadonlyArray<Coverage.Coverage>
  readonly policy: Policy.Resolved
  readonly accounts: Accounts.Accounts
  readonly addresses?: AddressBook.AddressBook
  /** The range `[from, to)`, Unix ms. Entries outside serve as candidates; outcomes without an entry inside are left out. */
  readonly range?: Coverage.Interval
}

export interface Output {
  /** Ordered by (earliest time, id). */
  readonly outcomes: ReadonlyArray<Outcome.Outcome>
  readonly warnings: ReadonlyArray<string>
}

/** Checks that the range is valid, and that no link of the policy joins entries of different assets. */
export const check = (
  { deposits, policy, range, transfers }: Pick<Input, "deposits" | "transfers" | "policy" | "range">
): Result.Result<void, InvalidRange | PolicyError> => {
  const invalid = range === undefined ? undefined : InvalidRange.of(range)
  if (invalid !== undefined) return Result.fail(invalid)
  const issues = policy.links.length === 0 ? [] : Links.issues(
    policy,
    Admission.entries("deposit", deposits).entries,
    Admission.entries("transfer", transfers).entries
  )
  return issues.length === 0 ? Result.succeed(undefined) : Result.fail(new PolicyError({ issues }))
}

/**
 * Gives every entry its outcome. Call `check` first: here a link between different assets is only a warning. It throws
 * `InvalidRange` for an invalid range, and `PolicyError` for accounts or addresses that are not as their types promise.
 */
export const match = (input: Input): Output => {
  const invalid = (input.range === undefined ? undefined : InvalidRange.of(input.range)) ?? Promised.invalid(input)
  if (invalid !== undefined) throw invalid
  return Whole.match(Admission.input(input))
}
