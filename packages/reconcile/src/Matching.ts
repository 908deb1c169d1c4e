/**
 * The matching engine: entries of two sides in, one outcome for every entry out. Pure and synchronous; the same input
 * in any order gives the same result.
 */
import { InvalidRange } from "@tallystick/core/InvalidRange"
import * as Result from "effect/Result"
import * as Admission from "./internal/engine/ledger/Admission.ts"
import * as Asides from "./internal/engine/outcomes/Asides.ts"
import * as Unusable from "./internal/engine/outcomes/Unusable.ts"
import * as Whole from "./internal/engine/stream/Whole.ts"
import * as Links from "./internal/engine/tiers/Links.ts"
import * as Promised from "./internal/Promised.ts"
import type { Input, Output } from "./internal/Question.ts"
import * as Seen from "./internal/report/Seen.ts"
import * as Steps from "./internal/Steps.ts"
import { PolicyError } from "./PolicyError.ts"

export type { Input, Output } from "./internal/Question.ts"

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
  const admitted = Admission.input(input)
  const { bad } = admitted
  const { outcomes, repeated, warnings } = Steps.run(
    Whole.match({ ...admitted, unusable: Unusable.and(Unusable.none, bad) })
  )
  return {
    outcomes: [...outcomes, ...Asides.ofBad(bad)],
    warnings: [...warnings, ...Seen.ofMatcher(input.policy, Seen.of(admitted, repeated), bad.length)]
  }
}
