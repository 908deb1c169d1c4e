/** Outcomes are read as they are stored: what is not as it was written is no outcome. */
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Report from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as ArchiveError from "../../ArchiveError.ts"
import * as Content from "./Content.ts"
import * as Pack from "./Pack.ts"

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Report.ReportOutcome))

const REMEDY = "reconcile the same range from it again, which records it anew where the records are the same"

/** Gives a text behind every id that begins with `prefix`: ids go on with digits and letters up to f, whatever the collation. */
export const behind = (prefix: string): string => `${prefix}g`

/** `what` names the run or the outcome of which a row or a pack is a part. */
export const make = (place: string) => {
  const damaged = (what: string) =>
    ArchiveError.ArchiveError.of(
      new ArchiveError.Damaged({ place, detail: `${what} is not as it was recorded`, remedy: REMEDY })
    )

  const ofText = (text: string, what: string) => Effect.mapError(decode(text), () => damaged(what))

  const ofRow = (
    row: Content.Content,
    what: string
  ): Effect.Effect<Outcome.Outcome, ArchiveError.DatabaseError> =>
    Content.holds(row) ? ofText(row.content, what) : Effect.fail(damaged(what))

  /** Gives the texts of outcomes; a pack that is gone is undefined. */
  const textsOf = (pack: Pack.Pack | undefined, what: string) =>
    Effect.fromOption(pack === undefined ? Option.none() : Pack.open(pack), () => damaged(what))

  const ofPack = (
    pack: Pack.Pack | undefined,
    what: string
  ): Effect.Effect<ReadonlyArray<Outcome.Outcome>, ArchiveError.DatabaseError> =>
    Effect.flatMap(textsOf(pack, what), Effect.forEach((text) => ofText(text, what)))

  return { damaged, ofText, ofRow, ofPack, textsOf }
}
