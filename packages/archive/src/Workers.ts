/** Threads of this process that decide the parts of a run side by side. */
import type * as Outcome from "@tallystick/reconcile/Outcome"
import type * as Report from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as ArchiveConfig from "./ArchiveConfig.ts"
import * as ArchiveError from "./ArchiveError.ts"
import * as Deciding from "./internal/parts/Deciding.ts"
import * as Message from "./internal/parts/Message.ts"
import * as Orders from "./internal/parts/Order.ts"
import * as Thread from "./Thread.ts"

/** What a part of a run is asked. All of it is data, and goes through JSON by this schema. */
export const Order = Orders.Order
export type Order = Orders.Order

/** Decides a part by this thread, over the archive that is given. It gives nothing where that holds something else than when the run was surveyed. */
export const decide = Deciding.decide

/** What decides the parts of runs beside this thread. */
export interface Workers {
  /** So many parts are decided at once, 1 or more. */
  readonly count: number
  /** A part has about so many entries or more: what has fewer for two parts is decided by this thread alone. */
  readonly least: number
  /** Decides a part. It gives nothing where the archive holds something else than when the run was surveyed. */
  readonly decide: (
    order: Order,
    tell?: Deciding.Tell
  ) => Effect.Effect<Option.Option<Report.Part>, ArchiveError.SlicesError>
}

export interface Options {
  /** The archive: a file, or a database. Each thread opens it by itself, and only reads. */
  readonly archive: ArchiveConfig.Location
  /** So many threads decide, each a part, 1 or more. */
  readonly count: number
  /** A part has about so many entries or more. Default: 50,000, which take a second or two. */
  readonly least?: number
}

/** To start a thread and to read everything twice is not worth the while for fewer. */
const LEAST = 50_000

const encode = Schema.encodeSync(Message.Start)
const decodeReason = Schema.decodeUnknownEffect(Message.Reason)

const placeOf = (location: ArchiveConfig.Location): Message.Start["place"] =>
  location._tag === "File" ? location : { _tag: "Postgres", url: Redacted.value(location.url) }

const lost = ({ archive }: Options) => (detail: string): ArchiveError.SlicesError =>
  ArchiveError.ArchiveError.of(
    new ArchiveError.Failed({
      place: ArchiveConfig.place(archive),
      detail: `a thread that decided a part of the run was lost: ${detail}`
    })
  )

interface Taken {
  readonly outcomes: Array<Outcome.Outcome>
  ended: Option.Option<Report.Part> | undefined
}

/** Makes workers. Their threads live as long as the part that each decides. */
export const make = (options: Options): Workers => {
  const { archive, count, least = LEAST } = options
  const fail = lost(options)

  const take = (tell: Deciding.Tell | undefined) =>
    Effect.fnUntraced(function*(taken: Taken, message: Message.Message) {
      switch (message._tag) {
        case "Progress":
          if (tell !== undefined) yield* tell({ done: message.done, of: message.of })
          break
        case "Outcomes":
          for (const outcome of message.outcomes) taken.outcomes.push(outcome)
          break
        case "Decided":
          taken.ended = Option.some({ sums: message.sums, outcomes: taken.outcomes })
          break
        case "Moved":
          taken.ended = Option.none()
          break
        case "Failed":
          return yield* ArchiveError.ArchiveError.of(yield* Effect.orDie(decodeReason(message.reason)))
      }
      return taken
    })

  return {
    count,
    least,
    decide: (order, tell) =>
      Thread.start(
        Message.ENTRY,
        encode({ place: placeOf(archive), order, isWatched: tell !== undefined }),
        Message.isMessage
      ).pipe(
        Stream.runFoldEffect((): Taken => ({ outcomes: [], ended: undefined }), take(tell)),
        Effect.catchTag("Lost", ({ detail }) => Effect.fail(fail(detail))),
        Effect.flatMap(({ ended }) =>
          ended === undefined ? Effect.fail(fail("it ended before its work did")) : Effect.succeed(ended)
        )
      )
  }
}
