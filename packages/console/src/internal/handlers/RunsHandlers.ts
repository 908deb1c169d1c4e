/** Tells of runs and outcomes. */
import * as Runs from "@tallystick/archive/Runs"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Stream from "effect/Stream"
import { ConsoleApi } from "../../ConsoleApi.ts"
import { Impossible, NotFound } from "../../ConsoleError.ts"
import * as Failing from "./Failing.ts"

const USUAL = 100

const oneOf = <A>(asked: ReadonlyArray<A> | undefined, told: A): boolean => asked === undefined || asked.includes(told)

export const layer = HttpApiBuilder.group(
  ConsoleApi,
  "runs",
  Effect.fnUntraced(function*(handlers) {
    const runs = yield* Runs.Runs

    const recorded = (id: string) =>
      runs.get(id).pipe(
        Effect.mapError((error) =>
          error._tag === "Ambiguous" ? new NotFound({ message: error.message }) : Failing.database(error)
        ),
        Effect.flatMap((option) => Failing.found(option, `run ${id}`))
      )

    return handlers.handleAll({
      runs: ({ query }) => Effect.mapError(runs.page(query), Failing.database),
      run: Effect.fnUntraced(function*({ params: { id } }) {
        const found = yield* recorded(id)
        return { ...found, executions: yield* Effect.mapError(runs.executions(found.run), Failing.database) }
      }),
      runOutcomes: Effect.fnUntraced(function*({ params: { id }, query: { after, code, limit = USUAL, outcome } }) {
        const { run } = yield* recorded(id)
        const isWanted = (told: Outcome.Outcome): boolean => oneOf(code, told.code) && oneOf(outcome, told.outcome)
        const all = runs.outcomes(run)
        let isThere = after === undefined
        const behind = after === undefined
          ? all
          : all.pipe(
            Stream.dropWhile((told) => {
              isThere = told.id === after
              return !isThere
            }),
            Stream.drop(1)
          )
        const found = yield* behind.pipe(
          Stream.filter(isWanted),
          Stream.take(limit + 1),
          Stream.runCollect,
          Effect.mapError(Failing.archive)
        )
        if (!isThere) {
          return yield* new Impossible({
            message: "The run has no outcome with the id of `after`: ask for its first page again."
          })
        }
        const outcomes = found.slice(0, limit)
        const last = outcomes.at(-1)
        return { outcomes, ...found.length > limit && last !== undefined ? { next: last.id } : {} }
      }),
      outcome: ({ params: { id } }) =>
        runs.outcome(id).pipe(
          Effect.mapError((error) =>
            error._tag === "Ambiguous" ? new NotFound({ message: error.message }) : Failing.database(error)
          ),
          Effect.flatMap((option) => Failing.found(option, `outcome ${id}`))
        ),
      diff: Effect.fnUntraced(function*({ params }) {
        const before = yield* recorded(params.before)
        const after = yield* recorded(params.after)
        return yield* Effect.mapError(
          runs.diff(before, after),
          (error) => error._tag === "Apart" ? new Impossible({ message: error.message }) : Failing.archive(error)
        )
      })
    })
  })
)
