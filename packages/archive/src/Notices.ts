/**
 * Notices tell programs outside of what needs a person. They are written into an outbox in the transaction that makes them true, and
 * sent afterwards: each at least once, and once in normal life.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as ArchiveError from "./ArchiveError.ts"
import * as Delivery from "./internal/notices/Delivery.ts"
import type * as Letters from "./internal/notices/Letters.ts"
import * as Outbox from "./internal/notices/Outbox.ts"
import type { Receiver } from "./internal/notices/Port.ts"
import * as Telling from "./internal/notices/Telling.ts"
import { Database } from "./internal/sql/Database.ts"

export type { Delivered } from "./internal/notices/Delivery.ts"
export type { Found } from "./internal/notices/Letters.ts"
export type { Unsent } from "./internal/notices/Outbox.ts"
export type { Audience } from "./internal/notices/Telling.ts"

export interface Service {
  /**
   * Tells receivers of conditions, as they were just found: of one that began, and once when it is over. Conditions that are not named
   * stay as they are. It writes notices, and sends none. `Books.execute` writes those of the books.
   */
  readonly tell: (
    receivers: ReadonlyArray<Receiver>,
    found: ReadonlyArray<Letters.Found>
  ) => Effect.Effect<void, ArchiveError.DatabaseError>
  /**
   * Sends what waits for these receivers: for each what was tried least first, in the order in which it was written; of one item or
   * condition always in that order. Nobody else sends a notice in the minute after
   * it was taken up. One that is not taken waits for a minute, then four times as long each time, up to 6 hours; after 7 days it is given
   * up. After a minute, or two failures in a row because the receiver was not reached or took nothing, the rest waits for the next call; a notice
   * that is refused (`Undelivered` of `notice`) keeps no other waiting. It does not fail because of a receiver.
   */
  readonly deliver: (
    receivers: ReadonlyArray<Receiver>
  ) => Effect.Effect<ReadonlyArray<Delivery.Delivered>, ArchiveError.DatabaseError>
  /**
   * Gives up what destinations that are none of these receivers did not take in 7 days, and gives the number of those notices. A destination that
   * was told nothing for 100 days is forgotten: if it is named again, it is told like a new one.
   */
  readonly expireOthers: (receivers: ReadonlyArray<Receiver>) => Effect.Effect<number, ArchiveError.DatabaseError>
  /** Counts the notices of all destinations that were not sent, and tells when the first of them was written, Unix ms. */
  readonly waiting: Effect.Effect<Outbox.Unsent, ArchiveError.DatabaseError>
}

const make = Effect.gen(function*() {
  const database = yield* Database
  const { error, sql } = database
  const telling = Telling.make(database)
  const outbox = Outbox.make(sql)
  const now = Effect.map(Clock.currentTimeMillis, Math.floor)
  return Notices.of({
    tell: Effect.fnUntraced(function*(receivers, found) {
      const at = yield* now
      yield* Effect.forEach(
        receivers,
        (receiver) => Effect.forEach(found, (one) => telling.ofCondition(receiver, one, at), { discard: true }),
        { discard: true }
      )
    }, (effect) => Effect.mapError(sql.withTransaction(effect), error)),
    deliver: (receivers) => Effect.forEach(receivers, Delivery.make(database), { concurrency: "unbounded" }),
    expireOthers: Effect.fnUntraced(function*(receivers) {
      return yield* outbox.expireOthers(receivers.map(({ id }) => id), yield* now)
    }, (effect) => Effect.mapError(sql.withTransaction(effect), error)),
    waiting: Effect.mapError(outbox.allUnsent, error)
  })
})

export class Notices extends Context.Service<Notices, Service>()("@tallystick/archive/Notices") {
  /** This layer stands over a database that is open; the layers of `Archive` bring it along. */
  static readonly layer: Layer.Layer<Notices, never, Database> = Layer.effect(Notices, make)
}
