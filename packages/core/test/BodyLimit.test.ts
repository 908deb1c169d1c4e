import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Service from "./support/service.ts"

const CHUNK = 1000
const CHUNKS = 100

/** A body of 100 chunks, and how many of them were asked for. */
const body = () => {
  const asked = { chunks: 0 }
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (asked.chunks++ < CHUNKS) controller.enqueue(new Uint8Array(CHUNK).fill(0x20))
      else controller.close()
    }
  })
  return { asked, stream }
}

const read = (headers: Record<string, string>) =>
  Effect.gen(function*() {
    const { asked, stream } = body()
    const service = Service.make(() =>
      new Response(stream, { headers: { "content-type": "application/json", ...headers } })
    )
    const broker = yield* Service.broker(service, { maxBody: 10 * CHUNK, retries: 0 })
    const { reason } = yield* Effect.flip(broker.subAccountDeposits())
    assert.deepInclude(reason, { _tag: "ProtocolError", detail: "the body exceeds 10000 bytes" })
    return asked.chunks
  })

it.effect.each([
  {},
  { "content-length": "100000" },
  { "content-length": "500", "content-encoding": "gzip" },
  { "content-length": "500", "transfer-encoding": "chunked" },
  { "content-length": "about 500" }
])(
  "a body whose length nothing vouches for is read to the limit and no further: %j",
  (headers) =>
    Effect.gen(function*() {
      assert.isBelow(yield* read(headers), 20)
    })
)

it.effect("a body that is longer than its transport declared is over the limit all the same", () =>
  read({ "content-length": "500" }))
