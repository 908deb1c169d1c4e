/**
 * Threads of this process that do work which takes the processor for long: the main thread goes on meanwhile. A thread gets data when it
 * starts, and tells data while it works. It tells nothing more before what it told last was taken, so that little is in memory twice.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { parentPort, Worker, workerData } from "node:worker_threads"

/** A thread ended before its work did: it failed, ran out of memory, or was ended from outside. */
export class Lost extends Schema.TaggedError<Lost>("@tallystick/archive/Thread/Lost")("Lost", {
  /** This says how it ended. */
  detail: Schema.String
}) {
  override get message(): string {
    return `a thread was lost: ${this.detail}`
  }
}

/** This tells a thread to end: what it began is undone, or done to its end. */
const STOP = "stop"

/** This tells a thread that what it told last was taken, and what is said to that. */
interface Taken {
  readonly reply: unknown
}

/** A thread that is told to end has so long to undo what it began, before it is ended. */
const GRACE = "5 seconds"

const exited = (thread: Worker): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    if (thread.threadId === -1) return resume(Effect.void)
    thread.once("exit", () => resume(Effect.void))
  })

const ended = (thread: Worker): Effect.Effect<void> =>
  Effect.sync(() => thread.postMessage(STOP)).pipe(
    Effect.andThen(exited(thread)),
    Effect.timeoutOrElse({
      duration: GRACE,
      orElse: () => Effect.asVoid(Effect.promise(() => thread.terminate()))
    })
  )

/**
 * Starts a thread whose module is `entry`, and gives what it tells. The thread ends with the stream, and the stream with the thread. `data`
 * and what it tells are copied, as `structuredClone` does; so is what `reply` says to each of them, which `tell` gives to the thread. It fails
 * where the thread tells what `isTold` does not know.
 */
export const start = <Told>(
  entry: URL,
  data: unknown,
  isTold: (message: unknown) => message is Told,
  reply: (told: Told) => Effect.Effect<unknown> = () => Effect.undefined
): Stream.Stream<Told, Lost> =>
  Stream.unwrap(Effect.gen(function*() {
    const thread = yield* Effect.acquireRelease(Effect.sync(() => new Worker(entry, { workerData: data })), ended)
    const queue = yield* Queue.unbounded<Told, Lost | Cause.Done>()
    const lost = (detail: string): void => {
      Queue.failCauseUnsafe(queue, Cause.fail(new Lost({ detail })))
    }
    thread.on("message", (message: unknown) => {
      if (isTold(message)) Queue.offerUnsafe(queue, message)
      else lost("it told what is not known")
    })
    thread.on("messageerror", () => lost("it told what cannot be read"))
    thread.on("error", (error) => lost(error instanceof Error ? error.message : String(error)))
    thread.on("exit", (code) => code === 0 ? void Queue.endUnsafe(queue) : lost(`exit code ${code}`))
    return Stream.fromQueue(queue).pipe(
      Stream.tap((told) => Effect.map(reply(told), (said) => thread.postMessage({ reply: said } satisfies Taken)))
    )
  }))

/**
 * Is the body of a thread's module: it does `work` with the data that the thread was started with, and ends the thread. `tell` waits until
 * what is told was taken, and gives what is said to it. Where the work fails, the thread is `Lost`; where the thread is no longer wanted, the work is interrupted.
 */
export const serve = (
  work: (data: unknown, tell: (message: unknown) => Effect.Effect<unknown>) => Effect.Effect<unknown>
): void => {
  const port = parentPort
  if (port === null) return
  let taken: (message: Taken) => void = () => undefined
  const tell = (message: unknown): Effect.Effect<unknown> =>
    Effect.callback((resume) => {
      taken = ({ reply }) => resume(Effect.succeed(reply))
      port.postMessage(message)
    })
  const fiber = Effect.runFork(work(workerData, tell))
  port.on("message", (message: Taken | typeof STOP) => {
    if (message === STOP) Effect.runFork(Fiber.interrupt(fiber))
    else taken(message)
  })
  // The thread ends when its work has: nothing else keeps it.
  fiber.addObserver((exit) => {
    port.close()
    if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return
    const { cause } = exit
    queueMicrotask(() => {
      throw Cause.squash(cause)
    })
  })
}
