/** Takes the records of a file into the archive, some at a time, and puts aside what is none. */
import * as Archive from "@tallystick/archive/Archive"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as RecordFile from "./RecordFile.ts"
import type * as RecordKind from "./RecordKind.ts"
import * as RejectFile from "./RejectFile.ts"

export interface Options {
  /** When the file was exported, Unix ms, where that is known. */
  readonly seenAt: number | undefined
  /** Where lines go that are no records. */
  readonly rejects: string
}

export interface Tally {
  readonly records: number
  readonly added: number
  readonly changed: number
  readonly rejected: number
  /** How often the file goes back in time, or forth where it begins with the youngest. */
  readonly disorder: number
}

/** Records of one transaction, about: those of one millisecond stay together, because twins are told apart by number. */
const BATCH = 1000

/** Whether a batch may end before the last of these: its time is another one. */
const isCut = <Record>({ at }: RecordKind.RecordKind<Record>, records: ReadonlyArray<Record>): boolean => {
  const [before, last] = records.slice(-2)
  return before !== undefined && last !== undefined && at(before) !== at(last)
}

/** Counts where times turn round: a file may begin with the oldest or with the youngest record. */
const directions = () => {
  let last: number | undefined
  let direction = 0
  let turns = 0
  return {
    next: (at: number): void => {
      const step = last === undefined ? 0 : Math.sign(at - last)
      if (step !== 0 && direction !== 0 && step !== direction) turns++
      else if (step !== 0) direction = step
      last = at
    },
    turns: () => turns
  }
}

/** Reads the file once. What was taken in stays when something fails later: importing it again changes nothing there. */
export const run = Effect.fnUntraced(function*<Record>(
  kind: RecordKind.RecordKind<Record>,
  path: string,
  { rejects, seenAt }: Options
) {
  const history = kind.history(yield* Archive.Archive)
  const rejected = yield* RejectFile.make(rejects)
  const order = directions()
  let [records, added, changed] = [0, 0, 0]
  let held: Array<Record> = []

  const save = Effect.fnUntraced(function*(batch: ReadonlyArray<Record>) {
    if (batch.length === 0) return
    const change = yield* history.importRecords(batch, seenAt)
    records += batch.length
    added += change.added
    changed += change.changed
  })

  yield* Stream.runForEachArray(
    RecordFile.read(kind, path),
    Effect.fnUntraced(function*(rows) {
      const bad: Array<RecordFile.Reject> = []
      for (const row of rows) {
        if (Result.isFailure(row)) {
          bad.push(row.failure)
          continue
        }
        order.next(kind.at(row.success))
        held.push(row.success)
        if (held.length <= BATCH || !isCut(kind, held)) continue
        yield* save(held.slice(0, -1))
        held = [row.success]
      }
      yield* rejected.add(bad)
    })
  )
  yield* save(held)
  yield* rejected.keep
  return { records, added, changed, rejected: yield* rejected.count, disorder: order.turns() } satisfies Tally
}, Effect.scoped)
