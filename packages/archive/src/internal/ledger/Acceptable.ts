/** Whether an outcome may be accepted: it is a discrepancy, final, and as the books and the records tell it now. */
import * as Amount from "@tallystick/core/Amount"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { DatabaseError } from "../../ArchiveError.ts"
import type * as Decision from "../../Decision.ts"
import type * as Execution from "../../Execution.ts"
import * as Contradictions from "./Contradictions.ts"
import type * as Subjects from "./Subjects.ts"

type Named = Pick<Decision.Subject, "id" | "side">

/** What the books tell of an outcome. */
export interface Break {
  /** The outcome as the run of the last execution has it that came to it. */
  readonly outcome: Outcome.Outcome
  /** Entries of it that stand in another outcome meanwhile. */
  readonly elsewhere: ReadonlyArray<Named & { readonly code: string }>
}

/** Gives what the books tell of an outcome; nothing where no execution came to it. */
export type Breaks = (
  outcome: string,
  executions: ReadonlyArray<Execution.Execution>
) => Effect.Effect<Option.Option<Break>, DatabaseError>

const kinds: Readonly<Record<Exclude<Outcome.Kind, "discrepancy">, string>> = {
  matched: "and nothing is open in it",
  pending: "and may still settle by itself",
  undetermined: "and nobody knows whether it is a break: let what it lacks be read",
  "set-aside": "and does not count"
}

const AGAIN = "bring the books forward, then accept what they tell"

/** Says what a record tells otherwise now than when the books told of the entry. */
const changed = (was: Outcome.Outcome["deposits"][number], code: Outcome.Code, now: Subjects.Lookup) => {
  const kept = now(was)
  const name = Contradictions.named(was)
  if (kept === undefined || (kept.hasVanished && code !== "vanished")) return `${name} is gone`
  const { amount, asset, at } = kept.subject
  return asset === was.asset && at === was.at && Amount.canonical(amount) === Amount.canonical(was.amount)
    ? undefined
    : `${name} is not as it was`
}

/** Says why an outcome cannot be accepted, as a clause; nothing where it can. */
export const objection = (
  { elsewhere: [other], outcome }: Break,
  { provisional = false }: Pick<Extract<Decision.Act, { kind: "accept" }>, "provisional">,
  now: Subjects.Lookup
): string | undefined => {
  const { code, final, outcome: kind } = outcome
  if (kind !== "discrepancy") return `it is ${code}, ${kinds[kind]}`
  if (other !== undefined) {
    return `${Contradictions.named(other)} stands in another outcome of the books now (${other.code}); accept that one`
  }
  for (const entry of [...outcome.deposits, ...outcome.transfers]) {
    const text = changed(entry, code, now)
    if (text !== undefined) return `${text} since the books told of it; ${AGAIN}`
  }
  return final || provisional
    ? undefined
    : "it is not final, and may still become something else; accept it provisionally (--provisional), or wait"
}
