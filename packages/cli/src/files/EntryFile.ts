/** One side of the books from a file: a slice of entries, and what the file proves about itself. */
import type * as BadRecord from "@tallystick/core/BadRecord"
import type * as Slice from "@tallystick/core/Slice"
import type * as Accounts from "@tallystick/reconcile/Accounts"
import type * as AddressBook from "@tallystick/reconcile/AddressBook"
import * as Entry from "@tallystick/reconcile/Entry"
import * as EntryReader from "@tallystick/reconcile/EntryReader"
import type * as Policy from "@tallystick/reconcile/Policy"
import * as Rows from "@tallystick/reconcile/rows/Rows"
import * as Text from "@tallystick/report/text/Text"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as FieldMap from "../config/FieldMap.ts"
import * as Progress from "../terminal/Progress.ts"
import * as FileBytes from "./FileBytes.ts"
import * as FileCoverage from "./FileCoverage.ts"
import * as InputFile from "./InputFile.ts"
import * as RowFile from "./RowFile.ts"
import * as Shape from "./Shape.ts"

export interface Options extends FileCoverage.Vouched {
  readonly policy: Policy.Resolved
  readonly accounts: Accounts.Accounts
  readonly account: AddressBook.Lookup
  /** What is said of the columns of each side's file. */
  readonly maps: FieldMap.FieldMaps
}

export interface EntryFile {
  readonly name: string
  readonly slice: Slice.Slice<Entry.Entry>
  /** The end of what the file proves, where that is only its own last record. */
  readonly endsAt: number | undefined
}

/**
 * Makes entries of the file of one side. What cannot be read is a bad record, with its line. `onRead` is told how many
 * characters were read, now and then.
 */
export const of = Effect.fnUntraced(function*(
  side: Entry.Side,
  file: Pick<InputFile.InputFile, "name" | "text">,
  options: Options,
  onRead: (end: number) => Effect.Effect<void> = () => Effect.void
) {
  const { batches, columns } = yield* RowFile.batches(file, onRead)
  const reader = Shape.reader(file.name, side, options.maps[side])
  if (columns !== undefined) yield* reader.header(columns)
  const now = yield* Clock.currentTimeMillis
  const decoded: Array<EntryReader.Decoded> = []
  const bad: Array<BadRecord.BadRecord> = []
  const unread: Array<BadRecord.BadRecord> = []
  yield* RowFile.forEach(batches, ({ end, refused, rows }) => {
    for (const row of rows) {
      const read = Result.flatMap(reader.row(row), (row) => EntryReader.decode(side, row, options, now))
      if (Result.isSuccess(read)) decoded.push(read.success)
      else bad.push(reader.told(read.failure))
    }
    for (const one of refused) unread.push(Rows.bad(side)(one))
    return onRead(end)
  })
  yield* reader.ended
  const records = (yield* EntryReader.entries(decoded, options)).toSorted(Entry.compare)
  const isVouched = options.complete || options.to !== undefined
  return {
    name: file.name,
    endsAt: isVouched ? undefined : records.at(-1)?.at,
    slice: {
      from: 0,
      to: FileCoverage.END_OF_TIME,
      records,
      bad: [...unread, ...bad],
      coverage: FileCoverage.of(
        { name: file.name, operation: `${side}s`, own: FileCoverage.ownInterval(records) },
        options,
        now
      )
    }
  } satisfies EntryFile
})

/** The same of a file that was named so, and shows how far it is. */
export const shown = (side: Entry.Side, path: string, file: InputFile.InputFile, options: Options) =>
  Effect.scoped(
    Effect.flatMap(
      FileBytes.track(path, file.size),
      ({ set }) => of(side, file, options, (end) => set({ done: Math.round((file.size * end) / file.text.length) }))
    )
  )

/** Reads the file of one side. */
export const read = (side: Entry.Side, path: string, options: Options) =>
  Effect.flatMap(InputFile.records(path), (file) => shown(side, path, file, options))

/** The records and the coverage of both sides' files together. */
export const both = ({ slice: left }: EntryFile, { slice: right }: EntryFile) => ({
  deposits: left.records,
  transfers: right.records,
  bad: [...left.bad, ...right.bad],
  coverage: [...left.coverage, ...right.coverage]
})

/** Fewer entries are matched before anybody could look. */
const MANY = 20_000

type OnProgress = (progress: { readonly done: number; readonly of: number }) => Effect.Effect<void>

/** Says that two sides are matched, when that takes a while, and how far it is, if that is told. */
export const matching =
  (left: EntryFile, right: EntryFile) =>
  <A, E, R>(match: (onProgress: OnProgress) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    const entries = left.slice.records.length + right.slice.records.length
    if (entries < MANY) return match(() => Effect.void)
    const what = `matching ${Text.counted(entries, "entry", "entries")} …`
    return Effect.scoped(Effect.flatMap(Progress.track({ what, unit: "share" }), ({ set }) => match(set)))
  }
