/** The work of `tallystick config`. */
import * as SafeJson from "@tallystick/report/text/SafeJson"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as OpenFiles from "../config/OpenFiles.ts"
import * as Overview from "../config/Overview.ts"
import * as OverviewText from "../config/OverviewText.ts"
import * as StrictFlag from "../config/StrictFlag.ts"
import * as Failure from "../Failure.ts"
import * as Output from "../output/Output.ts"
import * as ReportOutput from "../output/ReportOutput.ts"

interface Flags extends
  Readonly<
    Record<
      "out" | "accounts" | "addresses" | "policy" | "prices" | "map" | "zone" | "archiveFile",
      Option.Option<string>
    >
  >
{
  readonly format: "table" | "json"
}

export const run = Effect.fnUntraced(function*({ archiveFile, format, out, ...inputs }: Flags) {
  yield* Output.ready(out)
  const strict = (yield* StrictFlag.isGiven) ? Option.some("true") : Option.none()
  const overview = yield* Overview.make({ ...inputs, "archive-file": archiveFile, strict })
  const text = format === "json"
    ? `${SafeJson.stringify(overview, 2)}\n`
    : OverviewText.render(
      overview,
      { ...(yield* ReportOutput.look(out)), tableWidth: yield* ReportOutput.tableWidth(out) }
    )
  yield* Output.write(out, Stream.make(text))
  if (!Overview.isSound(overview)) return yield* Failure.usage("the configuration is not as it should be")
  return yield* Effect.flatMap(OpenFiles.configuration, OpenFiles.judged)
})
