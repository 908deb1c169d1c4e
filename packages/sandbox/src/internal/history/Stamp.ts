/** Derives the `clientTranId` that belongs to a deposit, independently of the client: from the published text, hashed by Node. */
import * as ClientTranId from "@tallystick/core/ClientTranId"
import type { SubAccountDeposit } from "@tallystick/core/SubAccountDeposit"
import { createHash } from "node:crypto"

const LENGTH = 32

/** Joins the version and the last digits of SHA-256 in base 36. */
export const stampFor = (deposit: SubAccountDeposit): string => {
  const hash = createHash("sha256").update(ClientTranId.canonicalText(deposit), "utf8").digest("hex")
  return ClientTranId.VERSION +
    BigInt(`0x${hash}`).toString(36).padStart(50, "0").slice(ClientTranId.VERSION.length - LENGTH)
}
