/** The work of `tallystick archive status`. */
import * as Archive from "@tallystick/archive/Archive"
import * as SyncStatus from "@tallystick/archive/SyncStatus"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as ArchivePlace from "../archive/ArchivePlace.ts"
import * as Deadline from "../archive/Deadline.ts"
import * as StatusJson from "../archive/StatusJson.ts"
import * as StatusText from "../archive/StatusText.ts"
import * as Configured from "../config/Configured.ts"
import * as Variables from "../config/Variables.ts"
import * as Failure from "../Failure.ts"
import type * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as AskedRange from "../flags/AskedRange.ts"
import type { Format } from "../flags/OutFlag.ts"
import type * as RangeFlags from "../flags/RangeFlags.ts"
import type * as WarnHoursFlag from "../flags/WarnHoursFlag.ts"
import * as Output from "../output/Output.ts"
import * as ReportOutput from "../output/ReportOutput.ts"
import * as ZonedTimes from "../text/ZonedTimes.ts"

interface Flags extends ArchiveFlag.Flags, WarnHoursFlag.Flags, Pick<RangeFlags.Flags, "zone"> {
  readonly format: Format
  readonly out: Option.Option<string>
}

export const run = Effect.fnUntraced(function*(flags: Flags) {
  yield* Output.ready(flags.out)
  const times = ZonedTimes.make(yield* AskedRange.zone(flags.zone))
  const { depositHistory } = yield* Effect.catch(
    Variables.conventions,
    (error) => Effect.flatMap(Configured.failure(error), Effect.fail)
  )
  const { holder, view } = yield* Effect.all({
    view: SyncStatus.read(depositHistory),
    holder: Archive.Archive.use(({ holder }) => Effect.map(holder, Option.getOrUndefined))
  }).pipe(
    Effect.mapError(Failure.fromArchive),
    ArchivePlace.withReadArchive(flags)
  )
  const text = flags.format === "json"
    ? StatusJson.render(view, holder)
    : StatusText.render(view, holder, { ...(yield* ReportOutput.look(flags.out)), times })
  yield* Output.write(flags.out, Stream.make(text))
  // An archive that only files were imported into is read by nobody, so that nothing is late.
  if (view.stamps.length > 0 && Deadline.urgency(view, flags) !== "calm") yield* Deadline.end(view, flags, times)
})
