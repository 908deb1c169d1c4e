/** A thread of this process that does one job, and ends with the scope of whoever waits for it. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Worker } from "node:worker_threads"
import * as Order from "./Order.ts"

/** The entry lies beside this module, with the ending that this one has. */
const ENTRY = new URL(import.meta.url.endsWith(".ts") ? "./BookThread.ts" : "./BookThread.js", import.meta.url)

/** A thread that is told to end has so long to undo what it began, before it is ended. */
const GRACE = "5 seconds"

const encode = Schema.encodeSync(Order.Order)
const decode = Schema.decodeUnknownSync(Order.Answer)

const exited = (thread: Worker): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    if (thread.threadId === -1) return resume(Effect.void)
    thread.once("exit", () => resume(Effect.void))
  })

const ended = (thread: Worker): Effect.Effect<void> =>
  Effect.sync(() => thread.postMessage(Order.STOP)).pipe(
    Effect.andThen(exited(thread)),
    Effect.timeoutOrElse({
      duration: GRACE,
      orElse: () => Effect.asVoid(Effect.promise(() => thread.terminate()))
    })
  )

const lost = (why: string): Order.Answer => ({ _tag: "Failed", message: `its thread was lost: ${why}`, mayPass: false })

/** Does what is ordered. A thread that ends without an answer failed. */
export const run = (order: Order.Order): Effect.Effect<Order.Answer> =>
  Effect.acquireUseRelease(
    Effect.sync(() => new Worker(ENTRY, { workerData: encode(order) })),
    (thread) =>
      Effect.callback<Order.Answer>((resume) => {
        thread.once("message", (answer) => resume(Effect.succeed(decode(answer))))
        thread.once(
          "error",
          (error) => resume(Effect.succeed(lost(error instanceof Error ? error.message : String(error))))
        )
        thread.once("exit", (code) => resume(Effect.succeed(lost(`exit code ${code}`))))
      }),
    ended
  )
