/** A process that decides on many entries at once, all or none, and then brings the books forward, earlier days too. */
import * as Effect from "effect/Effect"
import * as Archive from "../../src/Archive.ts"
import { book } from "../support/books.ts"
import { decide, link } from "../support/decisions.ts"

const program = Effect.gen(function*() {
  const about = [{ side: "transfer", id: "t1" }] as const
  const notes = Array.from(
    { length: 20 },
    (_, index) => ({ kind: "note", entries: about, words: `line ${index}` } as const)
  )
  yield* decide([yield* link("far", ["t2"]), ...notes])
  yield* book()
})

await program.pipe(Effect.provide(Archive.Archive.layerConfig()), Effect.runPromise)
process.exit(0)
