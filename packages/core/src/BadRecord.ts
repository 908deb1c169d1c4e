/** A record that could not be read never vanishes: it travels beside the good ones, with the text that came. */
import * as Formatter from "effect/Formatter"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { shown } from "./internal/decoding/Shown.ts"

/** A record that could not be read: its side and source, the field and the reason, and its raw text. */
export class BadRecord extends Schema.Opaque<BadRecord>()(
  Schema.Struct({
    /** The side of the books it was meant for. */
    side: Schema.Literals(["deposit", "transfer"]).annotateKey({
      description: "The side of the books it was meant for."
    }),
    /** Where it stood: `page 3, record 17` or `deposits.ndjson, line 12`. */
    source: Schema.String.annotateKey({
      description: "Where it stood: `page 3, record 17` or `deposits.ndjson, line 12`."
    }),
    /** The field that is wrong, as a path (`amount`), or empty when the whole record is. */
    path: Schema.String.annotateKey({
      description: "The field that is wrong, as a path (`amount`), or empty when the whole record is."
    }),
    /** What was wanted and what came. */
    reason: Schema.String.annotateKey({ description: "What was wanted and what came." }),
    /** The record as it came, as JSON or as the line of the file. */
    raw: Schema.String.annotateKey({ description: "The record as it came, as JSON or as the line of the file." })
  }).annotate({ identifier: "BadRecord" })
) {}

/** Returns the text of any value, as JSON where it can be written so. */
const textOf = (value: unknown): string =>
  Result.getOrUndefined(Result.try((): string | undefined => JSON.stringify(value))) ?? Formatter.format(value)

const idOf = (entry: unknown): string | undefined =>
  typeof entry === "object" && entry !== null && "id" in entry && typeof entry.id === "string" ? entry.id : undefined

/** Leaves out the source's own record, which may hold anything. */
const withoutRecord = (entry: unknown): unknown => {
  if (typeof entry !== "object" || entry === null || !("record" in entry)) return entry
  const { record: _, ...rest } = entry
  return rest
}

/** The value that came in place of a field of an entry. */
export interface Unlike {
  /** The field, or empty where the whole value is no entry. */
  readonly path: string
  /** The values that are allowed, in words. */
  readonly wanted: string
  /** The value as it came. */
  readonly came: unknown
}

/**
 * Returns the bad record for a value that is no entry. A program may pass anything where a type promised an entry, so this never
 * throws, whatever the value is.
 */
export const ofEntry = (side: BadRecord["side"], entry: unknown, { came, path, wanted }: Unlike): BadRecord => {
  const id = Result.getOrUndefined(Result.try(() => idOf(entry)))
  return {
    side,
    source: id === undefined || id === "" ? "an entry without an id" : `entry ${id}`,
    path,
    reason: `${wanted} was wanted, ${shown(came)} came`,
    raw: textOf(Result.getOrElse(Result.try(() => withoutRecord(entry)), () => entry))
  }
}
