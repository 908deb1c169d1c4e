/** Records that could not be read are no entries: runs are compared by which of them each tells, and by the time that a record tells itself. */
import type * as BadRecord from "@tallystick/core/BadRecord"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Policy from "@tallystick/reconcile/Policy"
import type * as Run from "../../Run.ts"
import type * as RunDiff from "../../RunDiff.ts"
import * as RawTime from "../records/RawTime.ts"

/** They stand under the ids of their outcomes. */
export type Unreadable = ReadonlyMap<string, BadRecord.BadRecord>

export const of = (outcomes: ReadonlyArray<Outcome.Outcome>): ReadonlyArray<readonly [string, BadRecord.BadRecord]> =>
  outcomes.flatMap(({ bad, id }) => bad === undefined ? [] : [[id, bad] as const])

const timeOf = { deposit: RawTime.of("insertTime"), transfer: RawTime.of("timestamp") }

/** A run reads so many horizons of its policy around its range. */
const AROUND = 2

/** A time is believed where the run read: a record that could not be read may tell anything. */
const believed = ({ run: { range }, summary: { policy } }: Run.Recorded): (time: number) => boolean => {
  const around = AROUND * Policy.horizon(policy)
  return (time) => range === null || (time >= range.from - around && time < range.to + around)
}

/** Counts what a run tells and the other does not: records of the time that is compared, and those of which nobody knows the time. */
export const counted = (
  of: Run.Recorded,
  { common, others, own }: {
    readonly common: Coverage.Interval | null
    readonly own: Unreadable
    readonly others: Unreadable
  }
): Pick<RunDiff.Side, "badRecords" | "untimedRecords"> => {
  const isBelieved = believed(of)
  let [badRecords, untimedRecords] = [0, 0]
  for (const [id, { raw, side }] of own) {
    if (others.has(id)) continue
    const time = timeOf[side](raw)
    if (common === null || (time !== undefined && time >= common.from && time < common.to)) badRecords++
    else if (time === undefined || !isBelieved(time)) untimedRecords++
  }
  return { badRecords, untimedRecords }
}
