/** A key that the exchange knows. */
import type * as Redacted from "effect/Redacted"

export interface Credential {
  readonly apiKey: string
  readonly secretKey: Redacted.Redacted
  readonly permissions: ReadonlyArray<string>
}

/** Every permission that an operation of the service needs. */
export const allPermissions: ReadonlyArray<string> = [
  "SPOT_ACCOUNT_READ",
  "SPOT_ACCOUNT_WRITE",
  "SPOT_TRANSFER_READ",
  "SPOT_DEPOSIT_READ"
]
