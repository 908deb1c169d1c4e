/**
 * What every tier and rule has to say about few entries of books that were read completely, but for fees, groups and
 * links. Written from the design, without the engine.
 */
import type * as Entry from "../../src/Entry.ts"
import * as Before from "./oracle/Before.ts"
import * as Desk from "./oracle/Desk.ts"
import * as Left from "./oracle/Left.ts"
import * as Past from "./oracle/Past.ts"
import * as Tiers from "./oracle/Tiers.ts"

/** In this order; what a step settles is gone for the next. */
const steps: ReadonlyArray<(desk: Desk.Desk) => void> = [
  Before.elsewhere,
  Before.reversed,
  Before.reference,
  Tiers.tiers,
  Past.past,
  Left.failedAttempt,
  Left.waiting,
  Left.settledLater,
  Left.wrongDirection,
  Left.accountMismatch,
  Left.late,
  Left.settledUnlike,
  Left.amountMismatch,
  Left.splitIncomplete,
  Left.notSettled,
  Left.duplicateSuspect,
  Left.assetMismatch,
  Left.missing
]

/** One line an outcome: its code, the ids of its members in alphabetical order, the one that lies too far away, and whether it is in doubt. */
export const line = (
  code: string,
  members: ReadonlyArray<Entry.Entry>,
  far?: string,
  isDoubted = false
): string =>
  [
    code,
    ...members.map(({ id }) => id).toSorted(),
    ...(far === undefined ? [] : ["not", far]),
    ...(isDoubted ? ["perhaps"] : [])
  ].join(" ")

export const answer = (law: Desk.Law, entries: ReadonlyArray<Entry.Entry>): ReadonlyArray<string> => {
  const desk = Desk.make(law, entries)
  for (const step of steps) step(desk)
  const far = Left.farCounterparts(desk)
  const farOf = (members: ReadonlyArray<Entry.Entry>): string | undefined =>
    members.map((member) => far.get(member)?.id).find((id) => id !== undefined)
  const doubted = Left.doubted(desk)
  return desk.verdicts.map((verdict) =>
    line(verdict.code, verdict.members, farOf(verdict.members), doubted.has(verdict))
  )
    .toSorted()
}
