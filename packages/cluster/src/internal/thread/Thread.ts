/** A thread of this process that does one job, and ends with the scope of whoever waits for it. */
import * as Threads from "@tallystick/archive/Thread"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Pulses from "../watchdog/Pulses.ts"
import * as Order from "./Order.ts"

/** The entry lies beside this module, with the ending that this one has. */
const ENTRY = new URL(import.meta.url.endsWith(".ts") ? "./BookThread.ts" : "./BookThread.js", import.meta.url)

const encode = Schema.encodeSync(Order.Order)

const lost = (why: string): Order.Answer => ({ _tag: "Failed", message: `its thread was lost: ${why}`, mayPass: false })

const ordered = (order: Order.Order, pulse: Pulses.Pulse | undefined): Effect.Effect<Order.Answer> =>
  Threads.start(ENTRY, { ...encode(order), pulse }, Schema.is(Order.Answer)).pipe(
    Stream.runHead,
    Effect.map(Option.getOrElse(() => lost("it ended without an answer"))),
    Effect.catchTag("Lost", ({ detail }) => Effect.succeed(lost(detail)))
  )

/** Does what is ordered, watched where there is a watchdog. A thread that ends without an answer failed. */
export const run = (order: Order.Order, pulses: Pulses.Pulses | undefined): Effect.Effect<Order.Answer> =>
  Effect.acquireUseRelease(
    Effect.sync(() => pulses?.take()),
    (pulse) => ordered(order, pulse),
    (pulse) => Effect.sync(() => pulse === undefined ? undefined : Pulses.release(pulse))
  )
