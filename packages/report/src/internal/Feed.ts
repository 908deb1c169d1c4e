/**
 * The last events of a feed, numbered. A reader has a place in the feed and no queue of its own: the writer never waits for it,
 * and the memory does not depend on the number of readers. A reader whose place was given up is told how many events it missed.
 */
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Stream from "effect/Stream"

/** What a reader is told: an event, how many events it missed, or that there is nothing new. */
export type Told<A> =
  | { readonly _tag: "Event"; readonly id: string; readonly value: A }
  | { readonly _tag: "Behind"; readonly id: string; readonly missed: number | null }
  | { readonly _tag: "Alive"; readonly id: string }

interface Feed<A> {
  /** Appends events at once, and returns the id of the last event. */
  readonly append: (values: ReadonlyArray<A>) => Effect.Effect<string>
  /**
   * Tells what comes after the event of this id; without an id, what comes from now on. An id of another feed, as before a
   * restart, counts as a place that was given up. The first word is `Alive`, and so is one after each `idle` without an event.
   */
  readonly read: (
    options: { readonly after: string | undefined; readonly idle: Duration.Input }
  ) => Stream.Stream<Told<A>>
}

/** The number of events that a reader takes at once. */
const BATCH = 64

/** Makes a feed that keeps its last `capacity` events, and whose readers end with the scope. */
export const make = Effect.fnUntraced(function*<A>(capacity: number) {
  // Tells the events of this feed from those of another process.
  const epoch = (yield* Random.nextIntBetween(36 ** 5, 36 ** 6)).toString(36)
  const kept: Array<A> = []
  let end = 1
  let isOver = false
  let more = Deferred.makeUnsafe<void>()

  const idOf = (number: number): string => `${epoch}-${number}`
  const oldest = (): number => end - kept.length
  const wake = (): void => {
    const waiting = more
    more = Deferred.makeUnsafe<void>()
    Deferred.doneUnsafe(waiting, Exit.void)
  }
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      isOver = true
      wake()
    })
  )

  /** Returns the number that follows an event, or undefined if no event of this feed has the id. */
  const placeAfter = (id: string): number | undefined => {
    const digits = id.startsWith(`${epoch}-`) ? id.slice(epoch.length + 1) : ""
    return /^\d{1,15}$/.test(digits) && Number(digits) < end ? Number(digits) + 1 : undefined
  }

  const takeFrom = (
    place: number,
    idle: Duration.Input
  ): Effect.Effect<readonly [ReadonlyArray<Told<A>>, Option.Option<number>]> =>
    Effect.suspend(() => {
      const first = oldest()
      if (place < first) {
        return Effect.succeed([[{ _tag: "Behind", id: idOf(first - 1), missed: first - place }], Option.some(first)])
      }
      const next = Math.min(place + BATCH, end)
      if (next > place) {
        const values = kept.slice(place - first, next - first)
        const told = values.map((value, index) => ({ _tag: "Event" as const, id: idOf(place + index), value }))
        return Effect.succeed([told, Option.some(next)])
      }
      if (isOver) return Effect.succeed([[], Option.none()])
      return Effect.flatMap(
        Effect.timeoutOption(Deferred.await(more), idle),
        Option.match({
          onNone: () =>
            Effect.succeed([[{ _tag: "Alive" as const, id: idOf(place - 1) }], Option.some(place)] as const),
          onSome: () => takeFrom(place, idle)
        })
      )
    })

  return {
    append: (values) =>
      Effect.sync(() => {
        for (const value of values) kept.push(value)
        kept.splice(0, kept.length - capacity)
        end += values.length
        if (values.length > 0) wake()
        return idOf(end - 1)
      }),
    read: ({ after, idle }) =>
      Stream.suspend(() => {
        const place = after === undefined ? end : placeAfter(after)
        const start = place ?? oldest()
        const alive: Told<A> = { _tag: "Alive", id: idOf(start - 1) }
        const opening: ReadonlyArray<Told<A>> = place === undefined
          ? [alive, { _tag: "Behind", id: idOf(start - 1), missed: null }]
          : [alive]
        return Stream.concat(Stream.fromArray(opening), Stream.paginate(start, (from) => takeFrom(from, idle)))
      })
  } satisfies Feed<A>
})
