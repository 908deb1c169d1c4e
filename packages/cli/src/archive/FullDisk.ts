/** What a sync says of a full disk besides that it is full: what to do, and how long there is until a record is lost. */
import * as Archive from "@tallystick/archive/Archive"
import type { ArchiveError } from "@tallystick/archive/ArchiveError"
import * as Status from "@tallystick/archive/Status"
import * as Broker from "@tallystick/core/Broker"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ZonedTimes } from "../text/ZonedTimes.ts"
import * as SyncText from "./SyncText.ts"

const GOES_ON = "make room: the next sync goes on where this one stopped"

/** Says nothing of any other error. Where the archive cannot even be read, nobody knows how long there is. */
export const advice = Effect.fnUntraced(function*({ reason }: Pick<ArchiveError, "reason">, times: ZonedTimes) {
  if (reason._tag !== "DiskFull") return []
  const { conventions, serverTime } = yield* Broker.Broker
  const left = yield* Effect.option(Effect.gen(function*() {
    const coverage = yield* Archive.Archive.use((archive) => archive.coverage())
    const now = yield* serverTime
    return SyncText.deadline(Status.deadline(coverage, now, conventions.depositHistory), now, times)
  }))
  return [Option.match(left, { onNone: () => GOES_ON, onSome: (left) => `${GOES_ON}; ${left}` })]
})
