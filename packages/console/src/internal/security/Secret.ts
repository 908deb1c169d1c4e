/** Secrets that the console makes, and how one that comes is compared: by digests, in a time that tells nothing. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"

const BYTES = 32

/** Makes 256 random bits, as 43 characters that an address and a header can hold. */
export const make: Effect.Effect<Redacted.Redacted> = Effect.sync(() =>
  Redacted.make(randomBytes(BYTES).toString("base64url"), { label: "secret" })
)

/** Names something in public, without saying anything of it. */
export const name: Effect.Effect<string> = Effect.sync(() => randomBytes(8).toString("hex"))

/** Gives the SHA-256 of a secret, which is all that is kept of it. */
export const digest = (secret: Redacted.Redacted): Uint8Array =>
  createHash("sha256").update(Redacted.value(secret)).digest()

export const isSame = (given: Redacted.Redacted, kept: Uint8Array): boolean => timingSafeEqual(digest(given), kept)
