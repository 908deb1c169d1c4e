/** The part of a policy that would have made links of one shape unnecessary. */
import type * as Policy from "../../Policy.ts"
import * as Aliases from "./Aliases.ts"
import * as Fees from "./Fees.ts"
import type { Draft } from "./Shape.ts"
import * as Tolerances from "./Tolerances.ts"
import * as Windows from "./Windows.ts"

type Scoped = { readonly asset?: string; readonly network?: string }

const scopeOf = ({ asset, network }: Scoped) =>
  asset === undefined ? undefined : { asset, ...(network === undefined ? {} : { network }) }

/** Gives the keys of a policy that change, each with the whole value that it then has: what the policy says already stays. */
export const of = (policy: Policy.Policy, { links, shape }: Draft): Policy.Policy => {
  switch (shape.code) {
    case "fee":
      return Fees.line(policy, shape.asset, { flat: shape.flat })
    case "share":
      return Fees.shareLine(policy, shape, links).line
    case "difference":
      return Tolerances.line(policy, shape, shape.absolute)
    case "late":
      return Windows.line(policy, { after: Windows.written(shape.after) }, scopeOf(shape))
    case "early":
      return Windows.line(policy, { before: Windows.written(shape.before) }, scopeOf(shape))
    default:
      return Aliases.line(policy, shape.names)
  }
}
