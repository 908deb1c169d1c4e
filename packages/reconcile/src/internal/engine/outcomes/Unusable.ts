/** Takes finality from outcomes whose counterpart may be among records that could not be used. */
import type * as Entry from "../../../Entry.ts"
import type { Unexplained } from "../../explain/Unexplained.ts"
import * as Lacking from "../../Lacking.ts"

/**
 * Returns the outcome. It is not final if the counterpart that it lacks, or a better one, may be among the records that could
 * not be used.
 */
export const beside = (unusable: Readonly<Record<Entry.Side, number>>, told: Unexplained): Unexplained => {
  const { finalFrom: _, ...rest } = told
  const { because, code } = told
  const lack = Lacking.of(code)
  const doubts = (["deposit", "transfer"] as const)
    .filter((side) => unusable[side] > 0 && (lack === side || lack === "another" || lack === "better"))
    .map((side) => `unusable-${side}s` as const)
  return doubts.length === 0 ? told : {
    ...rest,
    final: false,
    because: { ...because, doubts: [...because.doubts ?? [], ...doubts] }
  }
}
