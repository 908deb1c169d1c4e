/** Judges the times that an entry still depends on if no rule took it. */
import type * as Entry from "../../../Entry.ts"
import type { Ledger } from "../ledger/Ledger.ts"
import type { Component } from "./Component.ts"
import type { ReadWindows } from "./ReadWindows.ts"
import * as Timeline from "./Timeline.ts"

type Judge = (side: Entry.Side, index: number) => Timeline.Judgement

export interface Remainder {
  /** Judges the times that a rule would have needed for the entry. It is complete if no rule waits for anything. */
  readonly awaited: Judge
  /** Judges the time of a counterpart of another account or in the wrong direction. Only a gap counts. */
  readonly elsewhere: Judge
  /**
   * Judges the times in which something could change a missing entry: a late counterpart, one of another account, a twin, a
   * transfer back.
   */
  readonly around: Judge
  /** Judges the windows of all entries that are decided with a look at the entry. */
  readonly chain: Judge
}

export const make = (ledger: Ledger, reading: ReadWindows, component: Component, awaited: Judge): Remainder => {
  /** The judgement of each number of `leftWith`. It is made when first asked for. */
  let chains: Map<number, Timeline.Judgement> | undefined
  const chainsOf = (): ReadonlyMap<number, Timeline.Judgement> => {
    if (chains !== undefined) return chains
    chains = new Map()
    for (const { entries, side } of [ledger.deposits, ledger.transfers]) {
      for (let index = 0; index < entries.length; index++) {
        const root = component.leftWith(side, index)
        if (root === undefined) continue
        const everyone = side === "deposit" ? reading.everyone(index) : Timeline.complete
        const known = chains.get(root) ?? Timeline.complete
        chains.set(root, Timeline.worst([known, component.windows(side, index), everyone]))
      }
    }
    return chains
  }
  return {
    awaited,
    elsewhere: (side, index) => {
      if (side === "transfer") return Timeline.complete
      const judgement = Timeline.worst([reading.everyone(index), reading.backwards(index)])
      return judgement.state === "gap" ? judgement : Timeline.complete
    },
    around: (side, index) =>
      Timeline.worst([
        ...(side === "deposit"
          ? [reading.everyone(index), reading.backwards(index), reading.deposit(index, "late")]
          : [reading.transfer(index, "late"), reading.cancelling(index)]),
        reading.twins(side, index)
      ]),
    chain: (side, index) => chainsOf().get(component.leftWith(side, index) ?? -1) ?? Timeline.complete
  }
}
