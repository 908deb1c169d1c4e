/** What something is worth, for a glance: two decimals, a bound never rounded past itself. The console answers programs with the exact worth. */
import * as Text from "@tallystick/report/text/Text"
import { BoundText } from "../../../../report/page/src/components/BoundText.tsx"
import * as FigureText from "../../../../report/src/internal/content/FigureText.ts"

interface Props {
  /** Exact. */
  readonly worth: string
  /** `mixed` adds lower and upper bounds. */
  readonly bound: "exact" | "at least" | "at most" | "mixed"
  /** The currency, where it is to be told and is known. */
  readonly currency?: string | undefined
}

export const WorthText = ({ bound, currency, worth }: Props) => (
  <>
    <BoundText text={FigureText.glance(worth, bound === "mixed" ? "about" : bound)} />
    {currency === undefined ? "" : ` ${Text.plain(currency)}`}
  </>
)
