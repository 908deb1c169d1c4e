/** The work of `tallystick archive trust`. */
import * as Archive from "@tallystick/archive/Archive"
import * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as Origin from "@tallystick/core/Origin"
import * as Effect from "effect/Effect"
import * as ArchivePlace from "../archive/ArchivePlace.ts"
import * as Configured from "../config/Configured.ts"
import * as Failure from "../Failure.ts"
import type * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as Stderr from "../terminal/Stderr.ts"

export const run = Effect.fnUntraced(
  function*(flags: ArchiveFlag.Flags) {
    const options = yield* BrokerConfig.load()
    const origin = yield* Origin.of(yield* Effect.fromResult(BrokerConfig.make(options)))
    const { place, known } = yield* Effect.gen(function*() {
      const archive = yield* Archive.Archive
      const known = yield* Effect.catchIf(
        archive.stamps,
        ({ reason }) => reason._tag === "Damaged",
        () => Effect.succeed([])
      )
      yield* archive.trust(origin)
      return { place: archive.place, known }
    }).pipe(Effect.mapError(Failure.fromArchive), ArchivePlace.withKeptArchive(flags))
    const isKnown = known.some(({ baseUrl, fingerprint }) =>
      baseUrl === origin.baseUrl && fingerprint === origin.fingerprint
    )
    yield* Stderr.say(
      isKnown
        ? `${place} knows this key already: ${Origin.describe(origin)}`
        : `${place} takes records by this key from now on: ${Origin.describe(origin)}`
    )
  },
  (effect) =>
    Effect.catchTag(effect, "ConfigurationError", (error) => Effect.flatMap(Configured.failure(error), Effect.fail))
)
