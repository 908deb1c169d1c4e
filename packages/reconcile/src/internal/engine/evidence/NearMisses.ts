/** Finds entries in the window whose amounts just fail to fit, and says by how much. */
import type * as Entry from "../../../Entry.ts"
import type { Candidate } from "../../explain/Unexplained.ts"
import * as NearInTime from "../candidates/NearInTime.ts"
import * as AmountRule from "../ledger/AmountRule.ts"
import * as Amounts from "../ledger/Amounts.ts"
import { at, item } from "../ledger/Column.ts"
import * as Kind from "../ledger/Kind.ts"
import type * as Ledger from "../ledger/Ledger.ts"
import type { Workbench } from "../Workbench.ts"
import type { DraftOf } from "./TakenCandidates.ts"

/** The number of entries nearest in time that are looked at. */
const LOOKS = 24

/** A near miss differs by at most one part in so many of the smaller amount. */
const SHARE = 10n

type Pair = readonly [deposit: number, transfer: number]

interface Miss {
  readonly off: bigint
  readonly candidate: Candidate
}

/** Returns how far the amount is outside the interval. */
const beyond = ({ high, low }: AmountRule.Interval, amount: bigint): bigint =>
  amount < low ? low - amount : high !== undefined && amount > high ? amount - high : 0n

const missOf = (ledger: Ledger.Ledger, side: Entry.Side, [deposit, transfer]: Pair): Miss | undefined => {
  const amounts = Amounts.make(ledger, [deposit], [transfer])
  const [from, to] = [amounts.deposit(deposit), amounts.transfer(transfer)]
  const expected = amounts.expected(deposit)
  if (AmountRule.fit(expected, to) !== undefined) return undefined
  const { fee, residual } = AmountRule.nearest(expected, to)
  const interval = expected.find((one) => one.fee === fee)?.interval
  const off = interval === undefined ? 0n : beyond(interval, to)
  if (AmountRule.magnitude(residual) * SHARE > (from < to ? from : to)) return undefined
  const { other } = ledger[`${side}s`]
  const { id } = item(other.entries, side === "deposit" ? transfer : deposit)
  const [differs, accepted] = [AmountRule.magnitude(residual), AmountRule.magnitude(residual) - off]
  return {
    off,
    candidate: {
      side: other.side,
      id,
      because: {
        code: "near-amount",
        difference: amounts.format(differs),
        accepted: amounts.format(accepted),
        ...AmountRule.factOf(fee)
      }
    }
  }
}

/**
 * Returns a test that knows most pairs that are no near miss. Most entries near in time have quite another amount, and exact
 * arithmetic for each of them took a tenth of the time of a book in which most entries find nothing. A thousandth is left for
 * what rounding to doubles may do.
 */
const areFarApart = ({ deposits, policy, transfers }: Ledger.Ledger): (...pair: Pair) => boolean => {
  // A fee may bring two amounts together that are far apart.
  if (policy.fees.length > 0) return () => false
  const column = ({ entries }: Ledger.Side): Float64Array => Float64Array.from(entries, ({ amount }) => Number(amount))
  const [from, to] = [column(deposits), column(transfers)]
  return (deposit, transfer) => {
    const [one, other] = [at(from, deposit), at(to, transfer)]
    return Math.abs(one - other) * Number(SHARE) > Math.min(one, other) * 1.001
  }
}

/** Finds the near misses of an open entry among other unmatched entries, the nearest amount first. */
export const make = (
  bench: Workbench,
  draftOf: DraftOf
): (side: Entry.Side, index: number, most: number) => ReadonlyArray<Candidate> => {
  const { ledger } = bench
  const { deposits, transfers } = ledger
  let areFar: ReturnType<typeof areFarApart> | undefined
  const isMatched = (side: Entry.Side, index: number): boolean => {
    const code = draftOf(side, index)?.code
    return code !== undefined && Kind.of(code) === "matched"
  }
  const isLeft = (side: Entry.Side, { eligible }: Ledger.Side) => (index: number): boolean =>
    eligible[index] === 1 && !isMatched(side, index)
  const near = {
    deposit: NearInTime.make(ledger, deposits, "group", isLeft("transfer", transfers)),
    transfer: NearInTime.make(ledger, transfers, "group", isLeft("deposit", deposits))
  }
  return (side, index, most) => {
    if (most <= 0) return []
    const own = ledger[`${side}s`]
    const misses: Array<Miss> = []
    for (const one of near[side](index, LOOKS)) {
      if (own.amountClass[index] === own.other.amountClass[one]) continue
      const pair = own.pair(index, one)
      areFar ??= areFarApart(ledger)
      if (areFar(...pair)) continue
      const miss = missOf(ledger, side, pair)
      if (miss === undefined) continue
      misses.push(miss)
    }
    return misses
      .toSorted((a, b) => (a.off < b.off ? -1 : a.off > b.off ? 1 : 0))
      .slice(0, most)
      .map(({ candidate }) => candidate)
  }
}
