/** The event loop while a book in memory is reconciled; the directory of the book and the form as arguments. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import * as Effect from "effect/Effect"
// oxlint-disable-next-line import/no-unassigned-import -- it works by being loaded
import "effect/schema/SchemaJITCompiler/enable"
import * as Slice from "@tallystick/core/Slice"
import * as Stream from "effect/Stream"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { setTimeout } from "node:timers/promises"
import * as BookStream from "./BookStream.ts"

export interface Took {
  /** Ms from one turn of the event loop to the next. */
  readonly p99: number
  readonly max: number
  /** Ms of a run to its end. */
  readonly whole: number
  /** Ms of a run with a timeout of one second. */
  readonly timeout: number
}

const [directory = "", form = "events"] = process.argv.slice(2)
const { deposits, options, transfers } = BookStream.open(directory)

/** The entries, all in memory. */
const load = <E, R>(slices: Reconciliation.Side<E, R>) =>
  Effect.map(Stream.runCollect(slices), (all) => all.flatMap(({ records }) => records))

const program = Effect.gen(function*() {
  const left = yield* load(deposits)
  const right = yield* load(transfers)
  const known = { from: 0, to: BookStream.END, readAt: BookStream.END, state: "complete" } as const
  const ours = Slice.fromEntries(Stream.fromIterable(left), [{ operation: "deposits", ...known }])
  const theirs = Slice.fromEntries(Stream.fromIterable(right), [{ operation: "transfers", ...known }])
  const run = form === "events"
    ? Stream.runDrain(Reconciliation.events(ours, theirs, options))
    : Effect.asVoid(Reconciliation.reconcile(ours, theirs, options))
  yield* Effect.promise(() => setTimeout(500))
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  let start = performance.now()
  yield* run
  const whole = performance.now() - start
  // A last step is only seen when the loop has turned after it.
  yield* Effect.promise(() => setTimeout(10))
  delay.disable()
  start = performance.now()
  yield* Effect.timeoutOption(run, "1 second")
  const timeout = performance.now() - start
  console.log(JSON.stringify({ p99: delay.percentile(99) / 1e6, max: delay.max / 1e6, whole, timeout } satisfies Took))
})

await program.pipe(Effect.provide(NodeServices.layer), Effect.runPromise)
