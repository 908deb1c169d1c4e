/** What an execution changes in the books: its judgements, held against where the entries stood. */
import * as BookState from "../../BookState.ts"
import * as Subjects from "../ledger/Subjects.ts"
import * as EntryStates from "./EntryStates.ts"
import type * as Judged from "./Judged.ts"
import * as Judgement from "./Judgement.ts"

export interface Moves {
  /** Where entries stand now. */
  readonly states: ReadonlyArray<EntryStates.EntryState>
  /** Those of them that stood elsewhere before, or nowhere. */
  readonly changes: ReadonlyArray<EntryStates.EntryState>
}

/** An entry of which no outcome tells was taken out of the archive, or has another identity now. */
const gone = (state: EntryStates.EntryState): Judgement.Judgement => ({
  ...state,
  state: "out",
  code: Judgement.GONE,
  outcome: ""
})

const isSame = (before: EntryStates.EntryState, now: Judgement.Judgement): boolean =>
  before.state === now.state && before.code === now.code && before.outcome === now.outcome &&
  Judgement.isSameAmount(before, now) && before.asset === now.asset && before.at === now.at &&
  before.account === now.account

/**
 * `known` are the entries of the range that ever waited, and those that lay at another time when they did. One that the run tells at a
 * time outside of its range stays as it is, for the executions over that time.
 */
export const make = (
  execution: number,
  known: ReadonlyArray<EntryStates.EntryState>,
  { elsewhere, judged }: Judged.Judged
): Moves => {
  const states: Array<EntryStates.EntryState> = []
  const changes: Array<EntryStates.EntryState> = []
  const move = (before: EntryStates.EntryState | undefined, now: Judgement.Judgement): void => {
    const { account, amount, asset, at, code, id, outcome, side, state } = now
    const stands = {
      side,
      id,
      item: EntryStates.itemOf(now),
      asset,
      // The same number in another form moves nothing.
      amount: before !== undefined && Judgement.isSameAmount(before, now) ? before.amount : amount,
      at,
      ...(account === undefined ? {} : { account }),
      state,
      code,
      outcome,
      since: before?.since ?? execution,
      execution
    }
    states.push(stands)
    if (before === undefined || !isSame(before, now)) changes.push(stands)
  }

  const before = new Map(known.map((state) => [Subjects.keyOf(state), state]))
  for (const [key, state] of before) {
    const now = judged.get(key)
    if (now !== undefined) move(state, now)
    else if (!elsewhere.has(key)) move(state, gone(state))
  }
  for (const [key, now] of judged) if (!before.has(key) && BookState.isWaiting(now.state)) move(undefined, now)
  return { states, changes }
}
