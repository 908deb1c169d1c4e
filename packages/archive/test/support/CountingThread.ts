/** The body of a thread that counts, and then does what it was told to do. It writes down how far it is, and whether it was interrupted. */
import * as Effect from "effect/Effect"
import * as Thread from "../../src/Thread.ts"

const endings: Readonly<Record<string, Effect.Effect<void>>> = {
  end: Effect.void,
  fail: Effect.die(new Error("it cannot count further")),
  exit: Effect.sync(() => process.exit(7)),
  wait: Effect.never
}

interface Asked {
  readonly count: number
  readonly ending: string
  readonly shared: SharedArrayBuffer
}

Thread.serve((data, tell) => {
  const { count, ending, shared }: Asked = Object(data)
  const write = (index: number, value: number) => Effect.sync(() => Atomics.store(new Int32Array(shared), index, value))
  return Effect.gen(function*() {
    for (let number = 1; number <= count; number++) {
      yield* write(1, number)
      yield* tell({ number })
    }
    yield* endings[ending] ?? Effect.void
  }).pipe(Effect.onInterrupt(() => write(0, 1)))
})
