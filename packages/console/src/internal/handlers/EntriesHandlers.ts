/** Tells of entries. */
import * as Candidates from "@tallystick/archive/Candidates"
import * as Decisions from "@tallystick/archive/Decisions"
import * as OpenItems from "@tallystick/archive/OpenItems"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { ConsoleApi } from "../../ConsoleApi.ts"
import * as Failing from "./Failing.ts"

export const layer = HttpApiBuilder.group(
  ConsoleApi,
  "entries",
  Effect.fnUntraced(function*(handlers) {
    const candidates = yield* Candidates.Candidates
    const decisions = yield* Decisions.Decisions
    const items = yield* OpenItems.OpenItems
    return handlers.handleAll({
      find: Effect.fnUntraced(function*({ query: { name } }) {
        const entries = yield* Effect.mapError(decisions.find(name), Failing.database)
        // A short name may be a whole one.
        if (entries.length === 0 && Decisions.isTooShort(name)) {
          return yield* Failing.invalid("query.name", `Write at least ${Decisions.SHORTEST} letters of an id.`)
        }
        return { entries }
      }),
      story: ({ params }) =>
        Effect.mapError(items.story(params), Failing.database).pipe(
          Effect.flatMap((option) => Failing.found(option, `${params.side} ${params.id} that ever waited in the books`))
        ),
      candidates: ({ params, query }) =>
        Effect.mapError(candidates.near(params, query), Failing.database).pipe(
          Effect.flatMap((option) => Failing.found(option, `${params.side} ${params.id} in the archive`))
        ),
      compare: ({ params, query }) =>
        Effect.mapError(candidates.compare(params, query.with), Failing.database).pipe(
          Effect.flatMap((option) => Failing.found(option, `${params.side} ${params.id} in the archive`))
        )
    })
  })
)
