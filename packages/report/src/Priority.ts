/**
 * Orders outcomes by their difference, what is missing or too much: with prices the most money comes first, else the order is by
 * asset and difference. It is always exact. What a person accepted comes last.
 */
import * as Amount from "@tallystick/core/Amount"
import * as Outcome from "@tallystick/reconcile/Outcome"
import * as Stakes from "./internal/content/Stakes.ts"

/** A stake, and the time that orders equal ones. */
interface Ranked extends Stakes.Stake {
  /** The time of the earliest entry, Unix ms. */
  readonly at: number
  readonly id: string
  /** 1 where a person accepted it, else 0. */
  readonly accepted: 0 | 1
}

const byText = (a: string, b: string): number => a < b ? -1 : a > b ? 1 : 0

const sizeOf = ({ difference }: Ranked): string => difference?.size ?? "0"

/**
 * Puts what was accepted last, and orders by worth, the most first, then by asset, then by difference and by amount, the largest first, then
 * by time, the oldest first.
 */
const compare = (a: Ranked, b: Ranked): number => {
  if (a.accepted !== b.accepted) return a.accepted - b.accepted
  if (a.worth !== null && b.worth !== null) {
    const order = Amount.compare(b.worth, a.worth)
    if (order !== 0) return order
  } else if (a.worth !== b.worth) return a.worth === null ? 1 : -1
  return byText(a.asset, b.asset) || Amount.compare(sizeOf(b), sizeOf(a)) || Amount.compare(b.amount, a.amount) ||
    a.at - b.at || byText(a.id, b.id)
}

/** Sorts outcomes in this order, each with its stake. */
export const sorted = (
  outcomes: ReadonlyArray<Outcome.Outcome>,
  options: Stakes.Options
): ReadonlyArray<{ readonly outcome: Outcome.Outcome; readonly stake: Ranked }> => {
  const stakeOf = Stakes.of(options)
  return outcomes
    .map((outcome) => {
      const accepted = outcome.accepted === undefined ? 0 as const : 1 as const
      return { outcome, stake: { ...stakeOf(outcome), at: Outcome.earliest(outcome), id: outcome.id, accepted } }
    })
    .toSorted((a, b) => compare(a.stake, b.stake))
}
