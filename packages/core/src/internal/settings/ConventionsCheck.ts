/** Checks conventions beyond their types. Errors quote none of their values. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Conventions from "../../Conventions.ts"
import * as Issue from "../decoding/Issue.ts"

const decode = Schema.decodeUnknownResult(Conventions.Conventions, { onExcessProperty: "error" })

export const problem = (conventions: Conventions.Conventions): string | undefined => {
  const decoded = decode(conventions)
  if (Result.isFailure(decoded)) return `has a wrong or unknown setting: ${Issue.first(decoded.failure).path}`
  const { depositPage, recvWindow, recvWindowLimit, transferPage } = conventions
  if (recvWindow > recvWindowLimit) return "has a recvWindow beyond recvWindowLimit"
  if (depositPage.default > depositPage.maximum) return "has a depositPage whose default exceeds its maximum"
  return transferPage.default > transferPage.maximum
    ? "has a transferPage whose default exceeds its maximum"
    : undefined
}
