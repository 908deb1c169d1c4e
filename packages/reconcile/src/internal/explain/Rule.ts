/** Writes the rule of the policy that decided an outcome; nothing if none did. */
import * as Pair from "./Pair.ts"
import type { Unexplained } from "./Unexplained.ts"
import * as Words from "./Words.ts"

export const of = ({ because, code, deposits, transfers }: Unexplained): string | undefined => {
  switch (because.code) {
    case "linked":
      return Words.linked(because)
    case "excluded":
      return because.reason ?? "excluded by hand"
    case "below-least":
      return `below ${because.least} ${Words.only([...deposits, ...transfers]).asset}`
    case "sum": {
      const amounts = because.fee === undefined
        ? because.amounts === "equal" ? "equal sums" : "within the tolerance"
        : Pair.feeText(because.fee)
      return `${
        because.everything ? "all open in the window" : "the only set of its size, and none smaller"
      }; ${amounts}`
    }
    case "same-reference":
      if (code !== "reference" || because.unsettledMs !== undefined) return undefined
      return because.fee === undefined ? "equal references" : `equal references, ${Pair.feeText(because.fee)}`
    case "nearest-in-time":
    case "asked-for":
    case "in-every-pairing":
    case "in-every-pairing-without-difference":
    case "nearest-without-difference":
    case "within-noise":
      return code === "exact"
        ? undefined
        : because.fee === undefined
        ? "within the tolerance"
        : Pair.feeText(because.fee)
    default:
      return undefined
  }
}
