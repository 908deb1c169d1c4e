/** Decides, in the name of the session. */
import type * as Decision from "@tallystick/archive/Decision"
import * as DecisionError from "@tallystick/archive/DecisionError"
import * as Decisions from "@tallystick/archive/Decisions"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Result from "effect/Result"
import { ConsoleApi } from "../../ConsoleApi.ts"
import { Forbidden } from "../../ConsoleError.ts"
import * as Person from "../../Person.ts"
import * as Access from "../api/Access.ts"
import * as Failing from "./Failing.ts"

/** The author of what the session writes. */
const author = Access.CurrentSession.use(({ person: { identity, name } }) => Effect.succeed({ by: name, identity }))

/** An approval takes a role of its own. */
const allowed = (acts: ReadonlyArray<Decision.Each>) =>
  Access.CurrentSession.use(({ person: { name, role } }) =>
    acts.every(({ kind }) => kind !== "approve") || Person.allows(role, "approve")
      ? Effect.void
      : Effect.fail(new Forbidden({ reason: "role", message: `${name} may not approve: it takes the role approve.` }))
  )

const toResult = Result.match({
  onFailure: ({ message, reason }: DecisionError.DecisionError) => ({ _tag: "Refused" as const, reason, message }),
  onSuccess: (decision: Decision.Decision) => ({ _tag: "Decided" as const, decision })
})

const notOwn = (decision: number) => {
  const reason = new DecisionError.NotRevocable({ decision, detail: "it is not your own; revoke it, if it is wrong" })
  return { _tag: "Refused" as const, reason, message: reason.message }
}

/** An entry has a name on its side only: with half of it nothing could be filtered. */
const halfAnEntry = (isWithoutId: boolean) =>
  isWithoutId
    ? Failing.invalid("query.entry", "An entry is named by its id and its side, and the id is missing.")
    : Failing.invalid("query.side", "An entry is named by its id and its side, and the side is missing.")

export const layer = HttpApiBuilder.group(
  ConsoleApi,
  "decisions",
  Effect.fnUntraced(function*(handlers) {
    const decisions = yield* Decisions.Decisions

    const each = (acts: ReadonlyArray<Decision.Each>, options: Decisions.Options) =>
      Effect.map(
        Effect.mapError(decisions.decideEach(acts, options), Failing.database),
        ({ head, results }) => ({ results: results.map(toResult), head })
      )

    return handlers.handleAll({
      decisions: Effect.fnUntraced(function*({ query: { entry, kind, side, ...more } }) {
        if ((entry === undefined) !== (side === undefined)) return yield* halfAnEntry(entry === undefined)
        return yield* Effect.mapError(
          decisions.page({
            ...more,
            ...kind === undefined ? {} : { kinds: kind },
            ...entry === undefined || side === undefined ? {} : { entry: { id: entry, side } }
          }),
          Failing.database
        )
      }),
      decide: Effect.fnUntraced(function*({ payload: { acts, preview = false, ...more } }) {
        yield* allowed(acts)
        const options = { ...more, author: yield* author }
        const made = preview ? decisions.attempt(acts, options) : decisions.decide(acts, options)
        return { decisions: yield* Effect.mapError(made, Failing.decision) }
      }),
      decideEach: Effect.fnUntraced(function*({ payload: { acts, ...more } }) {
        yield* allowed(acts)
        return yield* each(acts, { ...more, author: yield* author })
      }),
      undo: Effect.fnUntraced(function*({ payload: { decisions: numbers, words, ...more } }) {
        const own = yield* author
        const all = yield* Effect.mapError(decisions.all, Failing.database)
        const isOwn = new Set(
          all.flatMap(({ body: { by, identity, number } }) =>
            by === own.by && identity === own.identity ? [number] : []
          )
        )
        const acts = numbers.filter((decision) => isOwn.has(decision))
          .map((decision): Decision.Each => ({ kind: "revoke", decision, words }))
        const { head, results } = yield* each(acts, { ...more, author: own })
        let next = 0
        return {
          results: numbers.map((decision) => (isOwn.has(decision) ? results[next++] : undefined) ?? notOwn(decision)),
          head
        }
      })
    })
  })
)
