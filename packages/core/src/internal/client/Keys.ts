/** Holds the key that requests are signed with, and replaces it where the service refuses it. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Semaphore from "effect/Semaphore"
import type * as BrokerConfig from "../../BrokerConfig.ts"
import type * as BrokerError from "../../BrokerError.ts"
import type * as Signer from "../../Signer.ts"

/** A key, and the signer that belongs to it. An attempt takes both at once, so that it is never signed with half of each. */
export interface Key {
  readonly apiKey: Redacted.Redacted
  /** Absent where the signer keeps it. */
  readonly secretKey?: Redacted.Redacted
  readonly sign: Signer.Signer["Service"]["sign"]
}

export interface Keys {
  /** The key in force. */
  readonly current: () => Key
  /** All keys that were in force so far: none of them is shown in an error. */
  readonly known: ReadonlyArray<Key>
  /** Is told that the service refused `used`, and gives whether another key is in force now. */
  readonly renew: (used: Key) => Effect.Effect<boolean, BrokerError.SigningFailed>
}

/** One key for good. */
export const fixed = (key: Key): Keys => ({
  current: () => key,
  known: [key],
  renew: () => Effect.succeed(false)
})

/**
 * Reads the key again after a refusal. Calls that are refused at the same time share one reading. `next` gives nothing where it
 * finds the key that it is given.
 */
export const renewed = (
  first: Key,
  next: (used: Key) => Effect.Effect<Key | undefined, BrokerError.SigningFailed>
): Keys => {
  const known = [first]
  const one = Semaphore.makeUnsafe(1)
  let key = first
  let readings = 0
  return {
    current: () => key,
    known,
    renew: (used) =>
      Effect.suspend(() => {
        const before = readings
        return one.withPermit(Effect.suspend(() => {
          if (key !== used || readings > before) return Effect.succeed(key !== used)
          return Effect.map(next(used), (found) => {
            readings++
            if (found === undefined) return false
            known.push(found)
            key = found
            return true
          })
        }))
      })
  }
}

const areEqual = (one: Redacted.Redacted, other: Redacted.Redacted): boolean =>
  Redacted.value(one) === Redacted.value(other)

/** Whether credentials that were read are those of a key. */
export const isSame = ({ apiKey, secretKey }: Key, found: BrokerConfig.Credentials): boolean =>
  areEqual(apiKey, found.apiKey) && secretKey !== undefined && areEqual(secretKey, found.secretKey)

/** Says that credentials could not be read again. It tells the kind of the error, and never its words, which may hold a secret. */
export const unread = (error: unknown): string => {
  const kind = typeof error === "object" && error !== null && "_tag" in error ? ` (${String(error._tag)})` : ""
  return `the service refused the key, and the credentials could not be read again${kind}`
}
