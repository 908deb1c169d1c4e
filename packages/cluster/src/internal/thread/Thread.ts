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

/** What the runner has to do with a thread. */
export interface Watching {
  /** It is asked before the books are brought forward. */
  readonly mayBook: Effect.Effect<boolean>
  /** The watchdog's pulses, where there is a watchdog. */
  readonly pulses: Pulses.Pulses | undefined
}

const ordered = (
  order: Order.Order,
  mayBook: Effect.Effect<boolean>,
  pulse: Pulses.Pulse | undefined
): Effect.Effect<Order.Answer> =>
  Threads.start(
    ENTRY,
    { ...encode(order), pulse },
    Schema.is(Order.Told),
    ({ _tag }) => _tag === "Asks" ? mayBook : Effect.undefined
  ).pipe(
    Stream.filter(Schema.is(Order.Answer)),
    Stream.runHead,
    Effect.map(Option.getOrElse(() => lost("it ended without an answer"))),
    Effect.catchTag("Lost", ({ detail }) => Effect.succeed(lost(detail)))
  )

/**
 * Does what is ordered. A thread that ends without an answer failed; what it had committed, or was about to, only a look at the ledger
 * tells.
 */
export const run = (order: Order.Order, { mayBook, pulses }: Watching): Effect.Effect<Order.Answer> =>
  Effect.acquireUseRelease(
    Effect.sync(() => pulses?.take()),
    (pulse) => ordered(order, mayBook, pulse),
    (pulse) => Effect.sync(() => pulse === undefined ? undefined : Pulses.release(pulse))
  )
