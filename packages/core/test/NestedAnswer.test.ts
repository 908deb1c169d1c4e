import { assert, it } from "@effect/vitest"
import * as JsonShape from "@tallystick/core/JsonShape"
import * as Effect from "effect/Effect"
import { depositFields } from "./support/records.ts"
import * as Service from "./support/service.ts"

const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels)

/** A page of one record, in which something is nested so that there are so many levels in all. */
const page = (levels: number): string =>
  JSON.stringify({ result: [{ ...depositFields, more: 0 }] }).replace("\"more\":0", `"more":${nested(levels - 3)}`)

const answered = Effect.fnUntraced(function*(body: string) {
  const service = Service.make(() => new Response(body, { headers: { "content-type": "application/json" } }))
  return yield* Service.broker(service, { retries: 0 })
})

it.effect("an answer with as many levels as are parsed is read", () =>
  Effect.gen(function*() {
    const broker = yield* answered(page(JsonShape.DEEPEST))
    assert.strictEqual((yield* broker.subAccountDeposits()).records.length, 1)
  }))

it.effect.each<readonly [string, string]>([
  ["one level more", page(JsonShape.DEEPEST + 1)],
  ["millions of levels", page(5_000_000)],
  ["millions that do not close", "[".repeat(10_000_000)],
  ["millions in objects", "{\"a\":".repeat(2_000_000)]
])("an answer with %s is not parsed, and the error says why", ([, body]) =>
  Effect.gen(function*() {
    const broker = yield* answered(body)
    const { reason } = yield* Effect.flip(broker.subAccountDeposits())
    assert.deepInclude(reason, { _tag: "ProtocolError", detail: "the body is nested deeper than 32 levels" })
  }))
