/** Tells a stage of a stream that its source ended by itself. */
import * as Stream from "effect/Stream"

/**
 * Returns the chunks of a stream, and one empty array after the last of them when the stream ends by itself. A stream that fails,
 * dies or is interrupted gives no empty array, although `onHalt` of `Stream.mapAccumArray` runs then too. A stage may take the
 * items that it holds back for the last of its source only when the empty array has come.
 */
export const chunks = <A, E, R>(stream: Stream.Stream<A, E, R>): Stream.Stream<ReadonlyArray<A>, E, R> =>
  Stream.concat(Stream.chunks(stream), Stream.succeed<ReadonlyArray<A>>([]))
