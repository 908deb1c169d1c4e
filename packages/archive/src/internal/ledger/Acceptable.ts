/** Whether an outcome may be accepted: it is a break, final, and as the books and the records tell it now. */
import type * as Entry from "@tallystick/reconcile/Entry"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { DatabaseError } from "../../ArchiveError.ts"
import type * as Decision from "../../Decision.ts"
import type * as Execution from "../../Execution.ts"
import * as Changed from "./Changed.ts"
import * as Contradictions from "./Contradictions.ts"
import * as Facts from "./Facts.ts"
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

/** Says what a record tells otherwise now than when the books told of the entry; of what has vanished nothing else is asked. */
const changed = (was: Entry.Entry, code: Outcome.Code, now: Subjects.Lookup): string | undefined => {
  const { amount, asset, at, id, past, side } = was
  const conflicts = past?.conflicts?.length ?? 0
  const kept = now(was)
  const stands = kept !== undefined && code === "vanished" ? { ...kept, hasVanished: false } : kept
  const text = Changed.of({ side, id, asset, amount, at, conflicts }, stands)
  return text ?? (stands?.subject.at === at ? undefined : `${Contradictions.named(was)} has another time now`)
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
    if (text !== undefined) return `${text}; ${AGAIN}`
  }
  return final || provisional
    ? undefined
    : "it is not final, and may still become something else; accept it provisionally (--provisional), or wait"
}

/** Says in what an outcome is otherwise than when its author looked, as a clause; nothing where it is the same, or was not told then. */
export const unseen = (then: Break | undefined, { outcome }: Break): string | undefined => {
  const difference = then && Facts.difference(Facts.of(then.outcome), Facts.of(outcome))
  return difference === undefined ? undefined : `${difference.text}; look at it again, then accept it`
}
