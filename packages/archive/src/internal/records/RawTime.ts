/** A record that cannot be read as a whole may still tell its time. */
import * as UniversalTransfer from "@tallystick/core/UniversalTransfer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

const isTime = Schema.is(UniversalTransfer.UniversalTransfer.fields.timestamp)

/** Reads `field` of raw JSON, Unix ms. */
export const of = (field: "timestamp" | "insertTime") => (raw: string): number | undefined =>
  decode(raw).pipe(Option.map((record) => record[field]), Option.filter(isTime), Option.getOrUndefined)
