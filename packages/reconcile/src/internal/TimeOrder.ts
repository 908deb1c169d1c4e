/** Sorts items that come nearly in order of time, and holds back no more than a limit of them. */
import * as SourceEnd from "@tallystick/core/SourceEnd"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { append } from "./engine/ledger/Column.ts"

/** The default number of items that are held back. So many items may come in any order. */
export const LIMIT = 10_000

interface Timed {
  /** Unix ms. */
  readonly at: number
}

interface State<A> {
  readonly held: Array<A>
  /** The time of the last item that was given on. */
  readonly watermark: number
}

const byTime = (a: Timed, b: Timed): number => a.at - b.at

const isSorted = (list: ReadonlyArray<Timed>): boolean =>
  list.every((one, index) => index === 0 || (list[index - 1]?.at ?? one.at) <= one.at)

/**
 * Gives all items on in order of time; items of the same time keep their order. An item that is out of place by no more than
 * `limit` others is put in its place. It fails with the error that `late` makes of the first item that is further out of
 * place: its place, before `watermark` (Unix ms), has gone by.
 */
export const sort = <A extends Timed, E2>(options: {
  readonly limit?: number
  readonly late: (one: A, watermark: number) => E2
}) =>
<E, R>(stream: Stream.Stream<A, E, R>): Stream.Stream<A, E | E2, R> => {
  const { late, limit = LIMIT } = options
  const release = ({ held, watermark }: State<A>, count: number) => {
    const sorted = isSorted(held) ? held : held.toSorted(byTime)
    const [first] = sorted
    if (count > 0 && first !== undefined && first.at < watermark) return Effect.fail(late(first, watermark))
    const given = sorted.slice(0, count)
    return Effect.succeed(
      [{ held: sorted.slice(count), watermark: given.at(-1)?.at ?? watermark } satisfies State<A>, given] as const
    )
  }
  return Stream.mapAccumEffect(
    SourceEnd.chunks(stream),
    (): State<A> => ({ held: [], watermark: Number.NEGATIVE_INFINITY }),
    (state, chunk) => {
      if (chunk.length === 0) return release(state, state.held.length)
      append(state.held, chunk)
      return state.held.length >= 2 * limit + 1
        ? release(state, state.held.length - limit)
        : Effect.succeed([state, []] as const)
    }
  )
}
