/** Our own books: the movements as our ledger has them. */
import * as Amount from "@tallystick/core/Amount"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Slice from "@tallystick/core/Slice"
import type * as Entry from "@tallystick/reconcile/Entry"
import * as Clock from "effect/Clock"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Ndjson from "effect/encoding/Ndjson"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"

export class LedgerError extends Schema.TaggedError<LedgerError>()("LedgerError", { detail: Schema.String }) {
  override get message(): string {
    return `the ledger could not be read: ${this.detail}`
  }
}

/** A booking of our ledger. One that cannot be read is our own mistake: correct it before anything is reconciled. */
const Booking = Schema.Struct({
  booking: Schema.NonEmptyString,
  asset: Schema.NonEmptyString,
  amount: Amount.Amount,
  bookedAt: Schema.Int,
  subAccount: Schema.NonEmptyString
})

const entry = ({ amount, asset, bookedAt, booking, subAccount }: typeof Booking.Type): Entry.Entry => ({
  side: "transfer",
  id: booking,
  asset,
  amount,
  at: bookedAt,
  status: "settled",
  account: subAccount
})

export class Ledger extends Context.Service<Ledger, {
  /** The bookings of `[from, to)`, Unix ms, in order of time. */
  readonly bookings: (interval: Coverage.Interval) => Stream.Stream<Slice.Slice<Entry.Entry>, LedgerError>
}>()("example/Ledger") {
  /** The ledger's export: `GET $LEDGER_URL?from=…&to=…`, a booking a line, read no faster than it is matched. */
  static readonly layerHttp = Layer.effect(
    Ledger,
    Effect.gen(function*() {
      const client = HttpClient.filterStatusOk(yield* HttpClient.HttpClient)
      const url = yield* Config.String("LEDGER_URL")
      return Ledger.of({
        bookings: (interval) =>
          Stream.unwrap(Effect.map(Clock.currentTimeMillis, (now) => {
            const lines = HttpClientResponse.stream(client.get(url, { urlParams: { ...interval } }))
            const entries = lines.pipe(
              Stream.pipeThroughChannel(Ndjson.decodeSchema(Booking)()),
              Stream.map(entry),
              Stream.mapError((error) => new LedgerError({ detail: error._tag }))
            )
            return Slice.fromEntries(entries, [
              { operation: "transfers", ...interval, readAt: now, state: "complete" }
            ])
          }))
      })
    })
  )
}
