/** Long text that repeats itself is kept deflated. What it says is told by a digest or a checksum, which its owner keeps. */
import type * as Option from "effect/Option"
import * as Result from "effect/Result"
import { deflateRawSync, inflateRawSync } from "node:zlib"

/** Packs text that is well formed, as JSON is. */
export const pack = (text: string): Uint8Array => deflateRawSync(text)

/** Gives the text, or none where the bytes are no packed text. */
export const unpack = (bytes: Uint8Array): Option.Option<string> =>
  Result.getSuccess(Result.try(() => inflateRawSync(bytes).toString("utf8")))
