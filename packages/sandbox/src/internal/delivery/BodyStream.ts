/** Streams a body as the bytes that go out, each in its time. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Manner } from "../../Delivery.ts"

const encoder = new TextEncoder()

const pause = (millis: number) => millis === 0 ? Effect.void : Effect.sleep(millis)

const drip = (body: Uint8Array<ArrayBuffer>, bytes: number, every: number) =>
  Stream.unfold(0, (offset) =>
    offset >= body.length
      ? Effect.undefined
      : Effect.as(
        offset === 0 ? Effect.void : pause(every),
        [
          body.subarray(offset, offset + bytes),
          offset + bytes
        ] as const
      ))

const endless = (body: Uint8Array<ArrayBuffer>, filler: string, every: number) => {
  const bytes = encoder.encode(filler)
  return Stream.concat(Stream.make(body), Stream.fromEffectRepeat(Effect.as(pause(every), bytes)))
}

/** Streams the bytes of a body up to its end, to the place where it is cut, or for ever. */
export const make = (body: string, manner: Manner): Stream.Stream<Uint8Array<ArrayBuffer>> => {
  const bytes = encoder.encode(body)
  switch (manner._tag) {
    case "Drip":
      return drip(bytes, manner.bytes, manner.every)
    case "Endless":
      return endless(bytes, manner.filler, manner.every)
    case "Part":
      return Stream.make(bytes.subarray(0, manner.bytes))
    default:
      return Stream.make(bytes)
  }
}
