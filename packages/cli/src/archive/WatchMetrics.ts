/** What a watch tells at `/metrics`: its own counts as they are, and the facts of the archive as they were after the last round. */
import * as Gauges from "@tallystick/archive/Gauges"
import * as Prometheus from "@tallystick/archive/Prometheus"
import * as Broker from "@tallystick/core/Broker"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stderr from "../terminal/Stderr.ts"
import * as ToldFaults from "./ToldFaults.ts"

/**
 * Makes `refresh`, which reads the facts of the archive between two rounds and never fails, `content`, which asks nobody: however
 * often it is asked for, no round waits, and `forget`, after which facts that others may have changed since are told no more.
 */
export const make = Effect.gen(function*() {
  const { conventions } = yield* Broker.Broker
  const read = Gauges.make(conventions.depositHistory)
  const faults = ToldFaults.make()
  let reading: Gauges.Reading | undefined

  const complain = Effect.fnUntraced(function*(cause: Cause.Cause<{ readonly message: string }>) {
    if (Cause.hasInterrupts(cause)) return yield* Effect.interrupt
    const told = Option.match(Cause.findErrorOption(cause), {
      onNone: () => "an internal error",
      onSome: ({ message }) => message
    })
    if (faults([told], yield* Clock.currentTimeMillis)) {
      yield* Stderr.complain(`metrics lack the archive's facts: ${told}`)
    }
    return undefined
  })

  return {
    refresh: Effect.map(Effect.catchCause(read, complain), (found) => {
      reading = found
    }),
    forget: Effect.sync(() => {
      reading = undefined
    }),
    content: {
      contentType: Prometheus.CONTENT_TYPE,
      text: Effect.suspend(() => Prometheus.text(reading))
    }
  }
})

export type WatchMetrics = Effect.Success<typeof make>
