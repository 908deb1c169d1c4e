/** A process that brings the books of its archive forward and sends the notices of it. `argv`: the address of the receiver. */
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Archive from "../../src/Archive.ts"
import * as Notices from "../../src/Notices.ts"
import * as Receiver from "../../src/Receiver.ts"
import { book } from "../support/books.ts"

const program = Effect.gen(function*() {
  const receiver = yield* Receiver.url({ url: process.argv[2] ?? "" })
  yield* book(undefined, { notify: { receivers: [receiver] } })
  const { deliver } = yield* Notices.Notices
  const [delivered] = yield* deliver([receiver])
  yield* Console.log(`sent ${delivered?.sent}, waiting ${delivered?.waiting}`)
})

await program.pipe(
  Effect.provide([Archive.Archive.layerConfig(), FetchHttpClient.layer]),
  Effect.runPromise
)
process.exit(0)
