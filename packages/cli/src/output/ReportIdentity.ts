/** Says of a report whose books it is of, by whom and by which program it was made, and under which policy: wherever its entries come from. */
import * as Report from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Configured from "../config/Configured.ts"
import { VERSION } from "../text/Version.ts"

export interface Flags {
  readonly title: Option.Option<string>
  /** The name that somebody claims. */
  readonly by?: Option.Option<string>
}

/** Gives the identity of a report that nothing records. It has no time of its own: the same entries give the same report. */
export const of = (
  { policy }: Pick<Report.Summary, "policy">,
  { by = Option.none(), title }: Flags
): Report.Identity => ({
  ...(Option.isNone(title) ? {} : { title: title.value }),
  ...(Option.isNone(by) ? {} : { madeBy: `${by.value} (claimed)` }),
  policy: Report.policyDigest(policy),
  program: `tallystick ${VERSION}`
})

/** Gives the host of the exchange that is asked, and no other part of its address. */
export const exchange = Effect.map(
  Configured.value("TALLYSTICK_BASE_URL"),
  (address): Pick<Report.Identity, "exchange"> => {
    const host = address === undefined ? undefined : URL.parse(address.value)?.host
    return host === undefined ? {} : { exchange: host }
  }
)
