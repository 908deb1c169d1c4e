/** Puts the difference of an outcome in words: `0.0012 BTC missing`, `at most 1 BTC too much`. */
import type * as Difference from "@tallystick/reconcile/Difference"

/** What is told of a difference. */
interface Told {
  readonly asset: string
  readonly difference: Pick<Difference.Difference, "bound" | "excess" | "missing" | "other"> | null
}

/** Returns the words; `written` makes text of the asset's name, which a stranger chose. They are empty where there is nothing to speak of. */
export const of = (
  { asset, difference }: Told,
  written: (name: string) => string
): string => {
  if (difference === null) return ""
  const { bound, excess, missing, other } = difference
  const parts = [
    ...(missing === "0" ? [] : [`${missing} ${written(asset)} missing`]),
    ...(excess === "0" ? [] : [`${excess} ${written(asset)} too much`]),
    ...(other === undefined ? [] : [`${other.excess} ${written(other.asset)} too much`])
  ]
  if (parts.length === 0) return "no difference in amount"
  return parts.map((part) => (bound === "exact" ? part : `${bound} ${part}`)).join(" and ")
}
