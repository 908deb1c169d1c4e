/**
 * Checks the policy, accounts and addresses of a run: a program without types may pass any value, and one with types a policy that
 * nobody checked, such as one whose lateness is endless.
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as Accounts from "../Accounts.ts"
import * as AddressBook from "../AddressBook.ts"
import * as Policy from "../Policy.ts"
import { PolicyError } from "../PolicyError.ts"

const decode = Schema.decodeUnknownResult(
  Schema.Struct({
    accounts: Schema.optional(Accounts.Accounts),
    addresses: Schema.optional(AddressBook.AddressBook)
  })
)

const format = SchemaIssue.makeFormatterStandardSchemaV1()

const segment = (part: PropertyKey | { readonly key: PropertyKey }): string =>
  String(typeof part === "object" ? part.key : part)

/** Returns the error that names a value that is not as its type promises; `undefined` where there is none. */
export const invalid = (
  { accounts, addresses, policy = Policy.defaults }: {
    readonly accounts?: unknown
    readonly addresses?: unknown
    readonly policy?: unknown
  }
): PolicyError | undefined => {
  if (policy !== Policy.defaults) {
    // A policy with its defaults filled in is one that somebody could have written.
    const checked = Policy.decode(policy)
    if (Result.isFailure(checked)) return checked.failure
  }
  const decoded = decode({ accounts, addresses })
  if (Result.isSuccess(decoded)) return undefined
  const issues = format(decoded.failure.issue).issues.map(({ message, path = [] }) => ({
    path: path.map(segment).join("."),
    message
  }))
  return new PolicyError({ issues })
}
