/** The entry of a thread that decides a part of a run, over an archive of its own that only reads. */
// A thread has modules of its own: what the program enabled is not enabled here, and records would take twice the processor time.
// oxlint-disable-next-line import/no-unassigned-import -- it works by being loaded
import "effect/schema/SchemaJITCompiler/enable"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Archive from "../../Archive.ts"
import * as ArchiveConfig from "../../ArchiveConfig.ts"
import * as ArchiveError from "../../ArchiveError.ts"
import * as Thread from "../../Thread.ts"
import * as Deciding from "./Deciding.ts"
import * as Message from "./Message.ts"

/** So many outcomes are told at a time: a copy of them is in memory until they are taken. */
const TOGETHER = 1024

const locationOf = (place: Message.Start["place"]): ArchiveConfig.Location =>
  place._tag === "File" ? place : { _tag: "Postgres", url: Redacted.make(place.url) }

const decode = Schema.decodeUnknownEffect(Message.Start)
const encodeReason = Schema.encodeSync(Message.Reason)
const isOfSlices = Schema.is(Message.Reason)

/** Gives the reason as this part's run can have it: a thread opens the archive, which has more of them. */
const reasonOf = (place: string, { message, reason }: ArchiveError.ArchiveError) =>
  encodeReason(isOfSlices(reason) ? reason : new ArchiveError.Failed({ place, detail: message }))

type Tell = (message: Message.Message) => Effect.Effect<void>

/** Decides the part, and tells of its outcomes in their order. */
const work = ({ isWatched, order }: Message.Start, tell: Tell) =>
  Effect.flatMap(
    Deciding.decide(order, isWatched ? (progress) => tell({ _tag: "Progress", ...progress }) : undefined),
    Option.match({
      onNone: () => tell({ _tag: "Moved" }),
      onSome: Effect.fnUntraced(function*({ outcomes, sums }) {
        for (const some of Arr.chunksOf(outcomes, TOGETHER)) yield* tell({ _tag: "Outcomes", outcomes: some })
        yield* tell({ _tag: "Decided", sums })
      })
    })
  )

Thread.serve((data, tell: Tell) =>
  Effect.flatMap(Effect.orDie(decode(data)), (start) => {
    const location = locationOf(start.place)
    const failed = (error: ArchiveError.ArchiveError): Message.Message => ({
      _tag: "Failed",
      reason: reasonOf(ArchiveConfig.place(location), error)
    })
    return work(start, tell).pipe(
      Effect.provide(Archive.Archive.layerReader(location)),
      Effect.catchTag("ArchiveError", (error) => tell(failed(error)))
    )
  })
)
