/**
 * The entry of the thread that does a job. To match and to encode takes the processor for minutes: on the main thread of a runner nothing
 * would keep its locks meanwhile.
 */
// A thread has modules of its own: what the program enabled is not enabled here, and records would take twice the processor time.
// oxlint-disable-next-line import/no-unassigned-import -- it works by being loaded
import "effect/schema/SchemaJITCompiler/enable"
import * as Archive from "@tallystick/archive/Archive"
import type * as ArchiveConfig from "@tallystick/archive/ArchiveConfig"
import { ArchiveError } from "@tallystick/archive/ArchiveError"
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import { BookError } from "@tallystick/archive/BookError"
import * as Books from "@tallystick/archive/Books"
import type * as Execution from "@tallystick/archive/Execution"
import type * as Receiver from "@tallystick/archive/Receiver"
import * as Thread from "@tallystick/archive/Thread"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { workerData } from "node:worker_threads"
import * as Identity from "../jobs/Identity.ts"
import * as Beating from "../watchdog/Beating.ts"
import * as Order from "./Order.ts"

type Receivers = Extract<Order.Order, { readonly _tag: "Book" }>["receivers"]

const locationOf = (place: Order.Order["place"]): ArchiveConfig.Location =>
  place._tag === "File" ? place : { _tag: "Postgres", url: Redacted.make(place.url) }

const layerOf = (location: ArchiveConfig.Location) =>
  location._tag === "File" ? Archive.Archive.layerSqlite(location) : Archive.Archive.layerPostgres(location)

const receiverOf = (receiver: Receivers[number]): Receiver.Receiver => ({
  ...receiver,
  send: () => Effect.die("a thread writes notices, and sends none")
})

const booked = ({ body: { number, run } }: Pick<Execution.Execution, "body">) =>
  ({ _tag: "Booked", run, execution: number }) as const satisfies Order.Answer

/** Looks whether the job made an execution: the work of minutes need not be done again to find that out. */
const looked = Effect.fnUntraced(function*({ job }: Pick<Order.Order, "job">) {
  const { executionOf } = yield* Books.Books
  return Option.match(yield* executionOf(job), {
    onNone: () => ({ _tag: "None" }) as const satisfies Order.Answer,
    onSome: booked
  })
})

const OF_ANOTHER = {
  _tag: "Failed",
  message: "it was submitted about another archive than that of this runner: give both the same one",
  mayPass: false
} as const satisfies Order.Answer

/** Only the runner knows whether the attempt is still its own. One that stands still says nothing, and the transaction ends with its lease. */
const work = Effect.fnUntraced(function*(order: Order.Order, mayBook: Effect.Effect<boolean>) {
  const found = yield* looked(order)
  if (order._tag === "Look" || found._tag === "Booked") return found
  const { job, question, receivers } = order
  if ((yield* Identity.asked(question)) !== order.asked) return OF_ANOTHER
  const { author, carry, declare, prices, ...asked } = question
  const of = new Map(Object.entries(prices?.of ?? {}))
  const { execution } = yield* ArchiveReconciliation.book(asked, {
    author,
    declare,
    carry,
    job,
    mayBook,
    notify: { receivers: receivers.map(receiverOf), prices: of },
    ...(prices === undefined
      ? {}
      : { prices: { of, ...(prices.currency === undefined ? {} : { currency: prices.currency }) } })
  })
  return booked(execution)
})

/** What may pass by itself: another program in the way, a database that does not answer, a ledger that went on. */
const mayPass = (failure: unknown): boolean =>
  failure instanceof ArchiveError
    ? failure.category === "transient" || failure.reason._tag === "DiskFull"
    : failure instanceof BookError && failure.reason._tag === "LedgerMoved"

const told = (cause: Cause.Cause<{ readonly message: string }>): Order.Answer =>
  Option.match(Cause.findErrorOption(cause), {
    onNone: () => ({ _tag: "Failed", message: `an internal error: ${Cause.pretty(cause)}`, mayPass: false }),
    onSome: (failure) => ({ _tag: "Failed", message: failure.message, mayPass: mayPass(failure) })
  })

Beating.within(workerData)

Thread.serve((data, tell) =>
  Schema.decodeUnknownEffect(Order.Order)(data).pipe(
    Effect.orDie,
    Effect.flatMap((order) =>
      Effect.provide(
        work(order, Effect.map(tell(Order.asks), (reply) => reply === true)),
        layerOf(locationOf(order.place))
      )
    ),
    Effect.catchCause((cause) => Cause.hasInterruptsOnly(cause) ? Effect.interrupt : Effect.succeed(told(cause))),
    Effect.flatMap(tell)
  )
)
