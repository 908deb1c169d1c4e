/** How a stage of a stream learns that its source ended by itself. */
import * as Stream from "effect/Stream"

/**
 * The chunks of a stream, and one empty array behind the last of them when the stream ends by itself. A stream that fails,
 * dies or is interrupted gives no empty array, where `onHalt` of `Stream.mapAccumArray` runs all the same: whatever a stage
 * holds back may count as the last of its source only when the empty array has come.
 */
export const chunks = <A, E, R>(stream: Stream.Stream<A, E, R>): Stream.Stream<ReadonlyArray<A>, E, R> =>
  Stream.concat(Stream.chunks(stream), Stream.succeed<ReadonlyArray<A>>([]))
