/**
 * Derives the `clientTranId` that belongs to a deposit. Brokers stamp the sweep of a deposit with it, and the two are then
 * matched by key. It is derived from the deposit alone and can never change; `VERSION` names the derivation.
 */
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import * as Option from "effect/Option"
import * as Amount from "./Amount.ts"
import * as SubAccountDeposit from "./SubAccountDeposit.ts"

/** The first characters of every id of this derivation. */
export const VERSION = "ts1"

const LENGTH = 32

const encoder = new TextEncoder()

/** Writes `4:USDT,`: each field has its length in UTF-8 bytes in front, so that no two lists of fields read alike. */
const netstring = (field: string): string =>
  `${/[^ -~]/.test(field) ? encoder.encode(field).length : field.length}:${field},`

/**
 * Returns the text that is hashed: coin, network, txId, address and memo (separated), the amount without superfluous zeros,
 * insertTime, and the ordinal among true twins, each as a netstring.
 */
export const canonicalText = (deposit: SubAccountDeposit.SubAccountDeposit, ordinal = 1): string => {
  const { address, memo } = SubAccountDeposit.arrivedAt(deposit)
  return [
    deposit.coin,
    deposit.network,
    deposit.txId,
    address,
    memo,
    Amount.canonical(deposit.amount),
    String(deposit.insertTime),
    String(ordinal)
  ].map((field) => netstring(field.toWellFormed())).join("")
}

/**
 * Returns the id from the SHA-256 of `canonicalText` in UTF-8, given as hexadecimal digits. The id is the version and the last
 * digits of the hash in base 36: 32 lowercase letters and digits in all, 149 bits of hash. It serves programs that hash by other
 * means than `clientTranIdFor`.
 */
export const fromSha256 = (hash: string): string =>
  VERSION + BigInt(`0x${hash}`).toString(36).padStart(50, "0").slice(VERSION.length - LENGTH)

/** Node's own (`NodeCrypto.layerDigest`), where the context has it, does not leave the thread, and takes a tenth of the time. */
const digests = Effect.flatMap(
  Effect.serviceOption(Digest.Digest),
  Option.match({ onNone: () => Effect.provide(Digest.Digest, Digest.layerWebCrypto), onSome: Effect.succeed })
)

const derive = (deposit: SubAccountDeposit.SubAccountDeposit, ordinal: number) =>
  Digest.Digest.use((digest) => digest.digest(Digest.sha256, encoder.encode(canonicalText(deposit, ordinal)))).pipe(
    Effect.map((hash) => fromSha256(Hex.encode(hash)))
  )

/**
 * Returns the `clientTranId` of a deposit. `ordinal` tells true twins apart (deposits alike in every part of their identity): the
 * first is 1.
 */
export const clientTranIdFor = (deposit: SubAccountDeposit.SubAccountDeposit, ordinal = 1): Effect.Effect<string> =>
  derive(deposit, ordinal).pipe(Effect.provideServiceEffect(Digest.Digest, digests))

/** The number of digests in flight at once: awaiting them one by one takes three times as long. */
const CONCURRENCY = 64

/** Returns the same for many deposits. Twins are numbered in the order in which they stand. */
export const clientTranIdsFor = (
  deposits: ReadonlyArray<SubAccountDeposit.SubAccountDeposit>
): Effect.Effect<ReadonlyArray<string>> =>
  Effect.suspend(() => {
    const seen = new Map<string, number>()
    const numbered = deposits.map((deposit) => {
      const identity = SubAccountDeposit.identity(deposit)
      const ordinal = (seen.get(identity) ?? 0) + 1
      seen.set(identity, ordinal)
      return { deposit, ordinal }
    })
    return Effect.forEach(numbered, ({ deposit, ordinal }) => derive(deposit, ordinal), { concurrency: CONCURRENCY })
  }).pipe(Effect.provideServiceEffect(Digest.Digest, digests))
