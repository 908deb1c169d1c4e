/** The desk, where people look at entries that do not agree. */
import * as Outcome from "@tallystick/reconcile/Outcome"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"

export class DeskError extends Schema.TaggedError<DeskError>()("DeskError", { detail: Schema.String }) {
  override get message(): string {
    return `the desk took no cases: ${this.detail}`
  }
}

const Cases = Schema.Array(Outcome.Outcome.mapFields(({ code, explanation, id }) => ({ code, explanation, id })))

export class Desk extends Context.Service<Desk, {
  /** Opens cases, and ends when the desk has all of them. An id is the same in every run: sent again, it is no new case. */
  readonly open: (outcomes: ReadonlyArray<Outcome.Outcome>) => Effect.Effect<void, DeskError>
}>()("example/Desk") {
  static readonly layerHttp = Layer.effect(
    Desk,
    Effect.gen(function*() {
      const client = HttpClient.filterStatusOk(yield* HttpClient.HttpClient)
      const url = yield* Config.String("DESK_URL")
      const put = Effect.fnUntraced(function*(outcomes: ReadonlyArray<Outcome.Outcome>) {
        const cases = outcomes.map(({ code, explanation, id }) => ({ code, explanation, id }))
        yield* client.execute(yield* HttpClientRequest.schemaBodyJson(Cases)(HttpClientRequest.put(url), cases))
      })
      return Desk.of({
        open: (outcomes) =>
          put(outcomes).pipe(
            Effect.retry(Schedule.exponential("1 second").pipe(Schedule.upTo({ times: 3 }))),
            Effect.mapError((error) => new DeskError({ detail: error._tag }))
          )
      })
    })
  )
}
