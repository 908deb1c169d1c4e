/**
 * Holds back missing entries that a stream has decided. Another missing entry, farther away than the policy looks, may still
 * have to be named as their candidate.
 */
import * as AddressBook from "../../../AddressBook.ts"
import * as Entry from "../../../Entry.ts"
import type * as Outcome from "../../../Outcome.ts"
import * as Note from "../../explain/Note.ts"
import * as Lacking from "../../Lacking.ts"
import type * as Decision from "../Decision.ts"
import * as FarCounterpart from "../evidence/FarCounterpart.ts"
import { item } from "../ledger/Column.ts"
import * as Direction from "../ledger/Direction.ts"
import * as Ledger from "../ledger/Ledger.ts"
import * as TimeIndex from "../ledger/TimeIndex.ts"

interface Step {
  /** The outcomes that were decided in this step. */
  readonly decided: ReadonlyArray<Outcome.Outcome>
  /** The entries that came and are not decided yet. */
  readonly undecided: Readonly<Record<Entry.Side, ReadonlyArray<Entry.Entry>>>
  /** The time before which no entry is still to come, Unix ms. */
  readonly watermark: number
}

export interface Withheld {
  /** Takes a step, and returns the outcomes that may be told now. */
  readonly pass: (step: Step) => ReadonlyArray<Outcome.Outcome>
  /** Returns the number of entries that are kept, told or not. */
  readonly kept: () => number
}

/** A missing entry. */
interface Missing {
  readonly entry: Entry.Entry
  /** The outcome, or nothing once it is told. The entry is kept for others that could belong to it. */
  readonly outcome: Outcome.Outcome | undefined
}

const sides = ["deposit", "transfer"] as const

export const make = (
  { accounts, addresses = [], policy }: Pick<Decision.Question, "policy" | "accounts" | "addresses">
): Withheld => {
  const direction = Direction.make(policy.flows, accounts)
  const lookup = AddressBook.lookup(addresses)
  const reach = FarCounterpart.reach(policy)
  let kept: Record<Entry.Side, ReadonlyMap<string, Missing>> = { deposit: new Map(), transfer: new Map() }
  const size = (): number => kept.deposit.size + kept.transfer.size

  const pass = ({ decided, undecided, watermark }: Step): ReadonlyArray<Outcome.Outcome> => {
    const known = { deposit: new Map(kept.deposit), transfer: new Map(kept.transfer) }
    const told: Array<Outcome.Outcome> = []
    for (const outcome of decided) {
      const [entry] = [...outcome.deposits, ...outcome.transfers]
      if (entry !== undefined && Lacking.isMissing(outcome.code)) {
        known[entry.side].set(entry.id, { entry, outcome })
      } else told.push(outcome)
    }
    kept = known
    if (size() === 0) return told
    const entriesOf = (side: Entry.Side): ReadonlyArray<Entry.Entry> =>
      [...Array.from(known[side].values(), ({ entry }) => entry), ...undecided[side]].toSorted(Entry.compare)
    const ledger = Ledger.make({
      policy,
      deposits: entriesOf("deposit"),
      transfers: entriesOf("transfer"),
      direction,
      addresses: lookup
    })
    const entryOf = (side: Entry.Side, index: number): Entry.Entry => item(ledger[`${side}s`].entries, index)
    const missingOf = (side: Entry.Side, index: number): Missing | undefined => known[side].get(entryOf(side, index).id)
    const far = FarCounterpart.make(ledger, (side, index) => missingOf(side, index) !== undefined)
    const undecidedAround = FarCounterpart.around(ledger, (side, index) => missingOf(side, index) === undefined)
    /** Whether every entry that this one could belong to is decided. */
    const isOver = (side: Entry.Side, index: number): boolean =>
      watermark > entryOf(side, index).at + reach && undecidedAround(side, index).length === 0

    const next = { deposit: new Map(known.deposit), transfer: new Map(known.transfer) }
    for (const side of sides) {
      const other = side === "deposit" ? "transfer" : "deposit"
      ledger[`${side}s`].entries.forEach((entry, index) => {
        const outcome = missingOf(side, index)?.outcome
        if (outcome === undefined || !isOver(side, index)) return
        const one = far(side, index)
        if (one !== undefined && !isOver(other, one)) return
        next[side].set(entry.id, { entry, outcome: undefined })
        told.push(
          one === undefined
            ? outcome
            : {
              ...outcome,
              candidates: [
                ...outcome.candidates,
                Note.explain(FarCounterpart.candidate(entry, entryOf(other, one)))
              ]
            }
        )
      })
    }

    // Whether an entry is named depends on the other entries that the named one could belong to, which may lie twice as far
    // away. The named one has come by then, and so has everything that a told entry could belong to.
    const isNearUntold = TimeIndex.make(
      ledger,
      (side, index) => {
        const missing = next[side].get(entryOf(side, index).id)
        return missing === undefined || missing.outcome !== undefined
      },
      "amountClass",
      2 * reach
    )
    for (const side of sides) {
      ledger[`${side}s`].entries.forEach(({ id }, index) => {
        if (!isNearUntold(side, index)) next[side].delete(id)
      })
    }
    kept = next
    return told
  }

  return { pass, kept: size }
}
