/** Takes finality from outcomes whose counterpart may be among records that could not be used. */
import type * as BadRecord from "@tallystick/core/BadRecord"
import * as Struct from "effect/Struct"
import type * as Entry from "../../../Entry.ts"
import type { Unexplained } from "../../explain/Unexplained.ts"
import * as Lacking from "../../Lacking.ts"

/** Whether there are records of each side that could not be used. */
export type Unusable = Readonly<Record<Entry.Side, boolean>>

export const none: Unusable = { deposit: false, transfer: false }

/** Returns the same with more such records. */
export const and = (unusable: Unusable, bad: ReadonlyArray<BadRecord.BadRecord>): Unusable => ({
  deposit: unusable.deposit || bad.some(({ side }) => side === "deposit"),
  transfer: unusable.transfer || bad.some(({ side }) => side === "transfer")
})

/**
 * Whether time alone does not decide: an entry whose window is not over may lack a counterpart once it is, whatever is said of it
 * today.
 */
const isOpenEnded = (unusable: Unusable, { deposits, transfers }: Unexplained): boolean =>
  (deposits.length > 0 && unusable.transfer) || (transfers.length > 0 && unusable.deposit)

const withoutMoment: (told: Unexplained) => Unexplained = Struct.omit(["finalFrom"])

/**
 * Returns the outcome. It is not final if the counterpart that it lacks, or a better one, may be among the records that could
 * not be used. No moment is told from which it can be final if a record of the other side could not be used.
 */
export const beside = (unusable: Unusable, told: Unexplained): Unexplained => {
  const { because, code } = told
  const lack = Lacking.of(code)
  const doubts = (["deposit", "transfer"] as const)
    .filter((side) => unusable[side] && (lack === side || lack === "another" || lack === "better"))
    .map((side) => `unusable-${side}s` as const)
  if (doubts.length === 0) return isOpenEnded(unusable, told) ? withoutMoment(told) : told
  return {
    ...withoutMoment(told),
    final: false,
    because: { ...because, doubts: [...because.doubts ?? [], ...doubts] }
  }
}
