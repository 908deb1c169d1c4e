/** Holds what closes say of the books against the books as the ledger and its runs have them. */
import * as BookState from "../../BookState.ts"
import type * as Closing from "../../Closing.ts"
import * as Subjects from "../ledger/Subjects.ts"
import type * as EntryStates from "./EntryStates.ts"
import * as Judgement from "./Judgement.ts"
import * as StateDigest from "./StateDigest.ts"

/** Says in sentences which closes say something else. `changes` stand in the order of their executions, and closes in that of their numbers. */
export const of = (
  closes: ReadonlyArray<Closing.Close>,
  changes: ReadonlyArray<EntryStates.EntryState>
): ReadonlyArray<string> => {
  const stood = new Map<string, EntryStates.EntryState>()
  let next = 0
  return closes.flatMap((close) => {
    for (
      let change = changes[next];
      change !== undefined && change.execution < close.number;
      change = changes[++next]
    ) {
      stood.set(Subjects.keyOf(change), change)
    }
    const all = Array.from(stood.values())
    const ofPeriod = StateDigest.of(all.filter(Judgement.isOf(close)))
    const waiting = StateDigest.of(all.filter(({ at, state }) => at < close.to && BookState.isWaiting(state)))
    return [
      ...(ofPeriod.digest === close.states.digest
        ? []
        : [`the entries of the period of close ${close.number} did not stand as the close says`]),
      ...(waiting.digest === close.carried.digest
        ? []
        : [`what waited before the end of the period of close ${close.number} was not what the close says`])
    ]
  })
}
