/** Books that are read farther and farther: whatever is final has to stay. */
import { assert } from "@effect/vitest"
import type * as Outcome from "../../src/Outcome.ts"
import * as Run from "./Run.ts"

export const names = (outcome: Outcome.Outcome): string => Run.summary([outcome]).join()

/** Reads on in steps of twenty minutes, `look` at each of them, and says how many outcomes were final, step by step. */
export const watch = (
  seed: number,
  { deposits = [], policy = {}, transfers = [] }: Pick<Run.Input, "deposits" | "transfers" | "policy">,
  look: (found: ReadonlyArray<Outcome.Outcome>) => void = () => undefined
): number => {
  let known: ReadonlySet<string> = new Set()
  let finals = 0
  for (let minutes = 20; minutes <= 300; minutes += 20) {
    const end = Run.T0 + minutes * Run.MINUTE
    const found = Run.match({
      deposits: deposits.filter(({ at }) => at < end),
      transfers: transfers.filter(({ at }) => at < end),
      coverage: Run.complete.map((coverage) => Object.assign({}, coverage, { to: end })),
      policy
    }).outcomes
    const now = new Set(found.map(names))
    for (const name of known) {
      assert.isTrue(now.has(name), `seed ${seed}: at ${minutes} minutes "${name}" is gone; now ${[...now].join("; ")}`)
    }
    known = new Set(found.filter(({ final }) => final).map(names))
    finals += known.size
    look(found)
  }
  return finals
}
