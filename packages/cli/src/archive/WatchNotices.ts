/** What a watch tells receivers of notices: the exchange soon forgets something unread, it refuses the key, or nothing is read. */
import * as Archive from "@tallystick/archive/Archive"
import * as Notices from "@tallystick/archive/Notices"
import type * as Receiver from "@tallystick/archive/Receiver"
import type * as Sync from "@tallystick/archive/Sync"
import * as SyncStatus from "@tallystick/archive/SyncStatus"
import * as Broker from "@tallystick/core/Broker"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as WarnHoursFlag from "../flags/WarnHoursFlag.ts"
import * as Deadline from "./Deadline.ts"
import * as NoticeReceivers from "./NoticeReceivers.ts"
import type { RoundFailure } from "./RoundFailure.ts"

/** Nothing is read, where the last reading is so long ago, ms. */
const SILENCE = 3_600_000

/** What a round came to, as far as notices care. */
export type Ended = Pick<Sync.Summary, "deadline" | "now"> | RoundFailure

const isFailure = (ended: Ended): ended is RoundFailure => "_tag" in ended

/** The last time at which anything was read, Unix ms; null where nothing ever was. An attempt that came to nothing leaves a gap. */
const lastRead = Effect.map(Archive.Archive.use(({ coverage }) => coverage()), (parts) =>
  parts.reduce<number | null>(
    (last, { readAt, state, vouched }) => state === "incomplete" || vouched ? last : Math.max(last ?? 0, readAt),
    null
  ))

/** Makes what is called after each round, with what it came to. It never fails. */
export const make = Effect.fnUntraced(function*(
  receivers: ReadonlyArray<Receiver.Receiver>,
  flags: WarnHoursFlag.Flags
) {
  const began = yield* Clock.currentTimeMillis
  let known: number | undefined

  /** When the exchange forgets the first deposit that may be unread. It stays the same while nothing is read. */
  const deadline = Effect.gen(function*() {
    if (known === undefined) {
      const { conventions: { depositHistory } } = yield* Broker.Broker
      const view = yield* SyncStatus.read(depositHistory)
      // An archive that was never read is none that anything is late in.
      known = view.stamps.length > 0 ? view.deadline : Number.POSITIVE_INFINITY
    }
    return known
  })

  const found = Effect.fnUntraced(function*(ended: Ended) {
    if (!isFailure(ended)) known = ended.deadline
    const now = isFailure(ended) ? yield* Clock.currentTimeMillis : ended.now
    const last = yield* lastRead
    const moment = yield* deadline
    const isRefused = isFailure(ended) && ended._tag === "BrokerError" && ended.category === "credentials"
    return [
      ...(Number.isFinite(moment)
        ? [{
          kind: "deadline" as const,
          isOn: Deadline.urgency({ deadline: moment, now }, flags) !== "calm",
          deadline: moment
        }]
        : []),
      // Another failure says nothing of the key.
      ...(isRefused || !isFailure(ended) ? [{ kind: "key-refused" as const, isOn: isRefused }] : []),
      { kind: "nothing-read" as const, isOn: now - (last ?? began) > SILENCE, lastReading: last }
    ]
  })

  return Effect.fnUntraced(
    function*(ended: Ended) {
      const { tell } = yield* Notices.Notices
      if (receivers.length > 0) yield* tell(receivers, yield* found(ended))
      yield* NoticeReceivers.deliver(receivers)
    },
    NoticeReceivers.unlessInterrupted("no notice could be written")
  )
})
