/** How far the reading of the service's histories has come. */
import * as Broker from "@tallystick/core/Broker"
import type * as Seen from "@tallystick/core/Seen"
import type * as Slice from "@tallystick/core/Slice"
import type * as Timeline from "@tallystick/core/Timeline"
import * as BrokerSource from "@tallystick/reconcile/BrokerSource"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Progress from "../terminal/Progress.ts"

interface Scans {
  /** Says how many scans there will be, so that what is planned so far is not taken for all there is to do. */
  readonly expect: (scans: number) => Effect.Effect<void>
}

const Scans = Context.Reference<Scans>("@tallystick/cli/BrokerProgress/Scans", {
  defaultValue: () => ({ expect: () => Effect.void })
})

/** The number of scans that are to come. */
const expect = (scans: number): Effect.Effect<void> => Effect.flatMap(Scans, (all) => all.expect(scans))

/** A report asks for the transfers of a day after those of the day before. */
const DAY = 86_400_000

/** The scans of a report. */
export const expectReport = (
  { accounts, from, policy, to }: Pick<BrokerSource.Options, "accounts" | "policy"> & Timeline.Interval
): Effect.Effect<void> => expect(1 + BrokerSource.queries(policy, accounts).length * Math.ceil((to - from) / DAY))

interface Watch<Record, E> {
  readonly onPage?: ((page: Seen.Seen<Record>) => Effect.Effect<void, E>) | undefined
  readonly onPlan?: ((slices: number) => Effect.Effect<void, E>) | undefined
}

/** Runs with a broker whose scans show how far they are. */
export const shown = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | Broker.Broker> =>
  Effect.scoped(Effect.gen(function*() {
    const broker = yield* Broker.Broker
    const track = yield* Progress.track({ what: "the service", unit: "slice" })
    let [expected, begun, planned] = [0, 0, 0]
    const plan = Effect.suspend(() => {
      const usual = begun === 0 ? 1 : planned / begun
      return track.set({
        what: [...histories].join(" and "),
        of: Math.round(planned + Math.max(0, expected - begun) * usual)
      })
    })
    const histories = new Set<string>()
    const watching = <Record, E>(history: string, { onPage, onPlan }: Watch<Record, E>) => ({
      onPage: (page: Seen.Seen<Record>) =>
        Effect.andThen(track.add({ pages: 1, records: page.records.length }), onPage?.(page) ?? Effect.void),
      onPlan: (slices: number) => {
        begun++
        planned += slices
        histories.add(history)
        return Effect.andThen(plan, onPlan?.(slices) ?? Effect.void)
      }
    })
    const counted = <Record, E, R>(slices: Stream.Stream<Slice.Slice<Record>, E, R>) =>
      Stream.tap(slices, () => track.add({ done: 1 }))
    return yield* effect.pipe(
      Effect.provideService(Broker.Broker, {
        ...broker,
        scanSubAccountDeposits: (input) =>
          counted(broker.scanSubAccountDeposits({ ...input, ...watching("deposits", input) })),
        scanUniversalTransfers: (input) =>
          counted(broker.scanUniversalTransfers({ ...input, ...watching("transfers", input) }))
      }),
      Effect.provideService(Scans, {
        expect: (scans) => {
          expected = scans
          return plan
        }
      })
    )
  }))
