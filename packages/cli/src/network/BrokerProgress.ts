/** How far the reading of the service's histories has come. */
import * as Broker from "@tallystick/core/Broker"
import type * as Seen from "@tallystick/core/Seen"
import type * as Slice from "@tallystick/core/Slice"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Progress from "../terminal/Progress.ts"
import * as QueryName from "../text/QueryName.ts"

interface Scans {
  /** Says how many scans there will be; then scans are counted, and not their slices. */
  readonly expect: (scans: number) => Effect.Effect<void>
}

const Scans = Context.Reference<Scans>("@tallystick/cli/BrokerProgress/Scans", {
  defaultValue: () => ({ expect: () => Effect.void })
})

/** Says before the first of several scans how many there will be. */
export const expect = (scans: number): Effect.Effect<void> => Effect.flatMap(Scans, (all) => all.expect(scans))

interface Watch<Record, E> {
  readonly onPage?: ((page: Seen.Seen<Record>) => Effect.Effect<void, E>) | undefined
  readonly onPlan?: ((slices: number) => Effect.Effect<void, E>) | undefined
}

/** Runs with a broker whose scans show how far they are: one by its slices, several by how many of them are done. */
export const shown = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | Broker.Broker> =>
  Effect.scoped(Effect.gen(function*() {
    const broker = yield* Broker.Broker
    const track = yield* Progress.track({ what: "the service", unit: "slice" })
    let isCounted = false
    const watching = <Record, E>(what: string, { onPage, onPlan }: Watch<Record, E>) => ({
      onPage: (page: Seen.Seen<Record>) =>
        Effect.andThen(
          track.add({ what, pages: 1, records: page.records.length }),
          onPage?.(page) ?? Effect.void
        ),
      onPlan: (slices: number) =>
        Effect.andThen(
          Effect.suspend(() => track.add({ what, of: isCounted ? 0 : slices })),
          onPlan?.(slices) ?? Effect.void
        )
    })
    const counted = <Record, E, R>(slices: Stream.Stream<Slice.Slice<Record>, E, R>) =>
      slices.pipe(
        Stream.tap(() => isCounted ? Effect.void : track.add({ done: 1 })),
        Stream.ensuring(Effect.suspend(() => (isCounted ? track.add({ done: 1 }) : Effect.void)))
      )
    return yield* effect.pipe(
      Effect.provideService(Broker.Broker, {
        ...broker,
        scanSubAccountDeposits: (input) =>
          counted(broker.scanSubAccountDeposits({ ...input, ...watching(QueryName.of("deposits"), input) })),
        scanUniversalTransfers: (input) =>
          counted(broker.scanUniversalTransfers({ ...input, ...watching(QueryName.of("transfers", input), input) }))
      }),
      Effect.provideService(Scans, {
        expect: (scans) =>
          Effect.suspend(() => {
            isCounted = true
            return track.set({ unit: "query", of: scans })
          })
      })
    )
  }))
