/** Tells what the archive holds. */
import * as Archive from "@tallystick/archive/Archive"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Option from "effect/Option"
import { ConsoleApi } from "../../ConsoleApi.ts"
import * as Failing from "./Failing.ts"

export const layer = HttpApiBuilder.group(
  ConsoleApi,
  "status",
  Effect.fnUntraced(function*(handlers) {
    const archive = yield* Archive.Archive
    return handlers.handleAll({
      status: () =>
        Effect.mapError(
          Effect.all({
            coveredTo: archive.coveredTo,
            lastReading: archive.lastReading,
            holder: Effect.map(archive.holder, Option.getOrNull),
            head: archive.ledgerEnd
          }),
          Failing.database
        ),
      coverage: ({ query: { from = 0, to = Number.MAX_SAFE_INTEGER } }) =>
        archive.coverage({ from, to }).pipe(
          Effect.map((coverage) => ({ coverage })),
          Effect.mapError(Failing.archive)
        )
    })
  })
)
