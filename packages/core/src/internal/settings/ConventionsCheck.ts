/** Checks conventions beyond their types. Errors quote none of their values. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Conventions from "../../Conventions.ts"
import * as Issue from "../decoding/Issue.ts"

const decode = Schema.decodeUnknownResult(Conventions.Conventions, { onExcessProperty: "error" })

export const problem = (conventions: Conventions.Conventions): string | undefined => {
  const decoded = decode(conventions)
  if (Result.isFailure(decoded)) return `has a wrong or unknown setting: ${Issue.first(decoded.failure).path}`
  const { depositPage, recvWindow, recvWindowLimit, subAccountPage, transferPage } = conventions
  if (recvWindow > recvWindowLimit) return "has a recvWindow beyond recvWindowLimit"
  const pages = { depositPage, transferPage, subAccountPage }
  const [wrong] = Object.entries(pages).find(([, length]) => length.default > length.maximum) ?? []
  return wrong === undefined ? undefined : `has a ${wrong} whose default exceeds its maximum`
}
