/** A key that the exchange knows. */
import type * as Redacted from "effect/Redacted"

/** A key that the sandbox knows. */
export interface Credential {
  /** The key. */
  readonly apiKey: string
  /** The key's secret. */
  readonly secretKey: Redacted.Redacted
  /** The names of its permissions. */
  readonly permissions: ReadonlyArray<string>
}

/** Every permission that an operation of the service needs. */
export const allPermissions: ReadonlyArray<string> = [
  "SPOT_ACCOUNT_READ",
  "SPOT_ACCOUNT_WRITE",
  "SPOT_TRANSFER_READ",
  "SPOT_DEPOSIT_READ"
]
