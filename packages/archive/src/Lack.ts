/** A lack keeps a period from being closed: something of it was not judged, not read, or is not settled. */
import * as Coverage from "@tallystick/core/Coverage"
import * as Schema from "effect/Schema"

const interval = { from: Schema.Int, to: Schema.Int }

/** No execution of the books is about this time. */
const Unexecuted = Schema.TaggedStruct("Unexecuted", interval)

/** This time of the period was not read when the last execution over it was made. */
const Unread = Schema.TaggedStruct("Unread", interval)

/**
 * These items are records that could not be read, as the runs over the period met them last, and nobody said that they are to be
 * carried. The list has 100 ids at most.
 */
const Unreadable = Schema.TaggedStruct("Unreadable", { records: Schema.Int, items: Schema.Array(Schema.String) })

/** The policy looks at this time behind what an execution judged, and not all of it was read when the execution was made. */
const Unsettled = Schema.TaggedStruct("Unsettled", {
  execution: Schema.Int,
  operation: Coverage.Coverage.fields.operation,
  ...interval
})

/** Records or coverage changed since this time was judged last, somebody decided on its entries, or it was judged by another question. */
const Due = Schema.TaggedStruct("Due", interval)

/** Entries before the end of the period wait, and nobody said that they are to be carried. */
const Waiting = Schema.TaggedStruct("Waiting", { entries: Schema.Int })

/** Entries of the period are settled by outcomes that are not final, and nobody said that they are to be carried. */
const Provisional = Schema.TaggedStruct("Provisional", { entries: Schema.Int })

export const Lack = Schema.Union([Unexecuted, Unread, Unreadable, Unsettled, Due, Waiting, Provisional])
export type Lack = typeof Lack.Type

const counted = (count: number, one: string, many: string): string => count === 1 ? `1 ${one}` : `${count} ${many}`

/** So many ids are said; the lack has more of them. */
const SAID = 3

const namedOf = ({ items, records }: typeof Unreadable.Type): string => {
  const said = items.slice(0, SAID)
  return `${said.join(", ")}${records > said.length ? ` and ${records - said.length} more` : ""}`
}

/** Says what is lacking as a sentence without its full stop. `time` writes a moment, Unix ms. */
export const text = (lack: Lack, time: (ms: number) => string): string => {
  switch (lack._tag) {
    case "Unexecuted":
      return `no execution of the books is about the time from ${time(lack.from)} to ${time(lack.to)}`
    case "Unread":
      return `not all of the time from ${time(lack.from)} to ${time(lack.to)} was read when it was last reconciled`
    case "Unreadable":
      return `${
        counted(lack.records, "record", "records")
      } could not be read when it was last reconciled and must be carried expressly: ${namedOf(lack)}`
    case "Unsettled":
      return `execution ${lack.execution} looks up to ${time(lack.to)}, and not all ${lack.operation} from ${
        time(lack.from)
      } on were read when it was made: reconcile that time again when they are`
    case "Due":
      return `what the last execution said of the time from ${time(lack.from)} to ${
        time(lack.to)
      } may be otherwise by now, because of a later record, decision, policy or list of accounts or addresses: reconcile all of the period with --book again`
    case "Waiting":
      return `${counted(lack.entries, "entry waits", "entries wait")} before its end and must be carried expressly`
    default:
      return `${
        counted(lack.entries, "entry is", "entries are")
      } settled by outcomes that are not final and must be carried expressly`
  }
}
