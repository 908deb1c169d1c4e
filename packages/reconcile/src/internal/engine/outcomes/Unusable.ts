/** Takes finality from outcomes whose counterpart may be among records that could not be used. */
import * as Struct from "effect/Struct"
import type * as Entry from "../../../Entry.ts"
import type { Unexplained } from "../../explain/Unexplained.ts"
import * as Lacking from "../../Lacking.ts"

/**
 * Whether time alone does not decide: an entry whose window is not over may lack a counterpart once it is, whatever is said of it
 * today.
 */
const isOpenEnded = (unusable: Readonly<Record<Entry.Side, number>>, { deposits, transfers }: Unexplained): boolean =>
  (deposits.length > 0 && unusable.transfer > 0) || (transfers.length > 0 && unusable.deposit > 0)

const withoutMoment: (told: Unexplained) => Unexplained = Struct.omit(["finalFrom"])

/**
 * Returns the outcome. It is not final if the counterpart that it lacks, or a better one, may be among the records that could
 * not be used. No moment is told from which it can be final if a record of the other side could not be used.
 */
export const beside = (unusable: Readonly<Record<Entry.Side, number>>, told: Unexplained): Unexplained => {
  const { because, code } = told
  const lack = Lacking.of(code)
  const doubts = (["deposit", "transfer"] as const)
    .filter((side) => unusable[side] > 0 && (lack === side || lack === "another" || lack === "better"))
    .map((side) => `unusable-${side}s` as const)
  if (doubts.length === 0) return isOpenEnded(unusable, told) ? withoutMoment(told) : told
  return {
    ...withoutMoment(told),
    final: false,
    because: { ...because, doubts: [...because.doubts ?? [], ...doubts] }
  }
}
