/** Says of a break, behind its words: what is missing or too much, what that is worth, how old it is, and how it stands. */
import * as Outcome from "@tallystick/reconcile/Outcome"
import * as DifferenceText from "../../text/DifferenceText.ts"
import * as FinalText from "../../text/FinalText.ts"
import * as Times from "../../text/Times.ts"
import type * as Stakes from "./Stakes.ts"

export interface Options {
  /** The last reading, to which ages are counted, Unix ms; null where nothing was read. */
  readonly asOf: number | null
  /** Whether prices are given. */
  readonly hasPrices: boolean
  /** The name of their currency. */
  readonly currency?: string | undefined
  /** Writes the moment at which an outcome becomes final. */
  readonly at: (ms: number) => string
}

/**
 * Returns how long the earliest entry of an outcome lay back at the last reading, ms. It is undefined where nobody can say, and where nothing
 * waits: what is matched or set aside has no age.
 */
export const ageOf = (outcome: Outcome.Outcome, asOf: number | null): number | undefined => {
  if (outcome.outcome === "matched" || outcome.outcome === "set-aside") return undefined
  const at = Outcome.earliest(outcome)
  return asOf === null || !Number.isFinite(at) ? undefined : Math.max(0, asOf - at)
}

const worthOf = ({ difference, worth }: Stakes.Stake, { currency, hasPrices }: Options): ReadonlyArray<string> => {
  if (!hasPrices || difference === null) return []
  const { bound, other } = difference
  if (worth === null) return [other === undefined ? "no price is given" : "the prices of both assets are not given"]
  return [`worth ${bound === "exact" ? "" : `${bound} `}${worth}${currency === undefined ? "" : ` ${currency}`}`]
}

/** Returns the facts in their order; `written` makes text of what a stranger wrote. */
export const of = (
  outcome: Outcome.Outcome,
  stake: Stakes.Stake,
  written: (text: string) => string,
  options: Options
): ReadonlyArray<string> => {
  const difference = DifferenceText.of(stake, written)
  const age = ageOf(outcome, options.asOf)
  const { accepted } = outcome
  return [
    ...(difference === "" ? [] : [difference]),
    ...worthOf(stake, options),
    ...(age === undefined ? [] : [`${Times.duration(age)} old`]),
    FinalText.of(outcome, options.at),
    ...(accepted === undefined ? [] : [`accepted by ${written(accepted.by)}`])
  ]
}
