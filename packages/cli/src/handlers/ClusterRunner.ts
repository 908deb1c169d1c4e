/** The work of `tallystick cluster runner`. */
import * as ArchiveConfig from "@tallystick/archive/ArchiveConfig"
import * as Cluster from "@tallystick/cluster/Cluster"
import * as Reconciling from "@tallystick/cluster/Reconciling"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as ArchivePlace from "../archive/ArchivePlace.ts"
import * as NoticeReceivers from "../archive/NoticeReceivers.ts"
import * as ClusterPlace from "../cluster/ClusterPlace.ts"
import * as Failure from "../Failure.ts"
import type * as NotifyFlags from "../flags/NotifyFlags.ts"
import * as ListenPlace from "../network/ListenPlace.ts"
import * as Stderr from "../terminal/Stderr.ts"

interface Flags extends NotifyFlags.Flags {
  readonly address: string
  readonly listen: Option.Option<string>
  readonly threads: number
  readonly keepDays: number
}

/** Where a runner is. Others cannot guess a port, so that it is not 0. */
const placeOf = Effect.fnUntraced(function*(flag: string, text: string) {
  const place = yield* Effect.fromResult(
    Result.mapError(ListenPlace.parse(text), (problem) => Failure.usage(`--${flag} ${problem}`))
  )
  return place.port === 0
    ? yield* Failure.usage(`--${flag}: the other runners must know the port, so that it cannot be 0`)
    : place
})

const textOf = ({ host, port }: ListenPlace.ListenPlace): string => `${host.includes(":") ? `[${host}]` : host}:${port}`

export const run = Effect.fnUntraced(function*(flags: Flags) {
  const address = yield* placeOf("address", flags.address)
  const listen = Option.isSome(flags.listen) ? yield* placeOf("listen", flags.listen.value) : address
  const archive = yield* ClusterPlace.location
  const receivers = yield* NoticeReceivers.make(flags)
  const withArchive = ArchivePlace.withKeptArchive(ClusterPlace.NO_FILE)
  // What is wrong with the archive is told now, and not by the first job.
  yield* withArchive(Effect.void)
  const sending = NoticeReceivers.unlessInterrupted("notices wait for the next job")(
    withArchive(NoticeReceivers.deliver(receivers))
  )
  const context = yield* Effect.context<Effect.Services<typeof sending>>()
  const booked = Effect.provideContext(sending, context)
  const name = textOf(address)
  yield* Layer.build(
    Reconciling.Reconciling.layerRunner({
      archive,
      name,
      receivers,
      threads: flags.threads,
      keep: Duration.days(flags.keepDays),
      ...(receivers.length === 0 ? {} : { booked })
    }).pipe(Layer.provide(Cluster.runner({ ...archive, address, listen })))
  )
  yield* Stderr.say(`runner ${name} takes jobs of ${ArchiveConfig.place(archive)}; Ctrl-C stops it`)
  return yield* Effect.never
}, (effect) => ClusterPlace.failing(Effect.scoped(effect)))
