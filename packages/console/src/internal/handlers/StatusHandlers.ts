/** Tells what the archive holds. */
import * as Archive from "@tallystick/archive/Archive"
import * as Gauges from "@tallystick/archive/Gauges"
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Option from "effect/Option"
import { ConsoleApi } from "../../ConsoleApi.ts"
import * as Failing from "./Failing.ts"

/** `depositHistory` says how long the exchange shows deposits. */
export const layer = (depositHistory: Duration.Input) =>
  HttpApiBuilder.group(
    ConsoleApi,
    "status",
    Effect.fnUntraced(function*(handlers) {
      const archive = yield* Archive.Archive
      const forgets = Gauges.readings(depositHistory).pipe(
        Effect.map(({ forgets = null }) => forgets),
        Effect.provideService(Archive.Archive, archive)
      )
      return handlers.handleAll({
        status: () =>
          Effect.all({
            coveredTo: archive.coveredTo,
            lastReading: archive.lastReading,
            forgetsAt: forgets,
            now: Clock.currentTimeMillis,
            holder: Effect.map(archive.holder, Option.getOrNull),
            head: archive.ledgerEnd
          }).pipe(
            Effect.mapError(Failing.archive),
            // All coverage is asked for, which is no impossible range.
            Effect.catchTag("Impossible", Effect.die)
          ),
        coverage: ({ query: { from = 0, to = Number.MAX_SAFE_INTEGER } }) =>
          archive.coverage({ from, to }).pipe(
            Effect.map((coverage) => ({ coverage })),
            Effect.mapError(Failing.archive)
          )
      })
    })
  )
