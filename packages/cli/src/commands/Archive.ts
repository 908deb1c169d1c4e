/** `tallystick archive`: what is in it, and whose it is. */
import * as Archive from "@tallystick/archive/Archive"
import * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as Origin from "@tallystick/core/Origin"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as ArchivePlace from "../archive/ArchivePlace.ts"
import * as StatusJson from "../archive/StatusJson.ts"
import * as StatusText from "../archive/StatusText.ts"
import * as StatusView from "../archive/StatusView.ts"
import * as Configured from "../config/Configured.ts"
import * as Variables from "../doctor/Variables.ts"
import * as Failure from "../Failure.ts"
import * as Notice from "../Notice.ts"
import { type Format, format, out } from "../OutFlag.ts"
import * as Output from "../Output.ts"
import * as Range from "../Range.ts"
import * as ReportOutput from "../ReportOutput.ts"
import * as Telemetry from "../Telemetry.ts"

const statusFlags = { format, out, zone: Range.flags.zone, archiveFile: ArchivePlace.flag }

interface StatusFlags extends ArchivePlace.Flags, Pick<Range.Flags, "zone"> {
  readonly format: Format
  readonly out: Option.Option<string>
}

const showStatus = Effect.fnUntraced(function*(flags: StatusFlags) {
  yield* Output.ready(flags.out)
  const zone = yield* Range.zone(flags.zone)
  const { depositHistory } = yield* Effect.catch(
    Variables.conventions,
    (error) => Effect.flatMap(Configured.failure(error), Effect.fail)
  )
  const { holder, view } = yield* Effect.all({ view: StatusView.read(depositHistory), holder: StatusView.holder }).pipe(
    Effect.mapError(Failure.fromArchive),
    ArchivePlace.withKeptArchive(flags)
  )
  const text = flags.format === "json"
    ? StatusJson.render(view, holder)
    : StatusText.render(view, holder, { ...(yield* ReportOutput.look(flags.out)), zone })
  yield* Output.write(flags.out, Stream.make(text))
})

const status = Command.make("status", statusFlags, Telemetry.command("archive status", showStatus)).pipe(
  Command.withShortDescription("Show what the archive holds, what it lacks, and what is about to be lost"),
  Command.withDescription(
    "Show what the archive holds, what is complete as a bar of time, what is missing and why, and how long until the service " +
      "forgets something unread. Asks the service nothing."
  ),
  Command.withExamples([
    { command: "tallystick archive status --zone Europe/Berlin", description: "For a person" },
    { command: "tallystick archive status --format json", description: "For monitoring" }
  ])
)

const trustConfigured = Effect.fnUntraced(
  function*(flags: ArchivePlace.Flags) {
    const options = yield* BrokerConfig.load()
    const origin = yield* Origin.of(yield* Effect.fromResult(BrokerConfig.make(options)))
    const { place, known } = yield* Effect.gen(function*() {
      const archive = yield* Archive.Archive
      const known = yield* archive.stamps
      yield* archive.trust(origin)
      return { place: archive.place, known }
    }).pipe(Effect.mapError(Failure.fromArchive), ArchivePlace.withKeptArchive(flags))
    const isKnown = known.some(({ baseUrl, fingerprint }) =>
      baseUrl === origin.baseUrl && fingerprint === origin.fingerprint
    )
    yield* Notice.say(
      isKnown
        ? `${place} knows this key already: ${Origin.describe(origin)}`
        : `${place} takes records by this key from now on: ${Origin.describe(origin)}`
    )
  },
  (effect) =>
    Effect.catchTag(effect, "ConfigurationError", (error) => Effect.flatMap(Configured.failure(error), Effect.fail))
)

const trust = Command.make(
  "trust",
  { archiveFile: ArchivePlace.flag },
  Telemetry.command("archive trust", trustConfigured)
).pipe(
  Command.withShortDescription("Say that the configured key belongs to the archive's master account"),
  Command.withDescription(
    "Say that the configured key belongs to the same master account as the records in the archive: after a key was replaced. " +
      "Nobody can check that; records of two masters in one archive cannot be told apart again."
  )
)

export const command = Command.make("archive").pipe(
  Command.withDescription("The archive: what is in it, and whose it is"),
  Command.withSubcommands([status, trust])
)
