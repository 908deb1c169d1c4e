/** A policy that cannot be used, with everything that is wrong in it. */
import * as Schema from "effect/Schema"

/** One thing that is wrong: where it stands, what came and what is allowed. */
export const PolicyIssue = Schema.Struct({
  /** The key as a path, `window.before` or `links[2].deposits[0]`; empty for the policy as a whole. */
  path: Schema.String,
  /** What came and what is allowed. */
  message: Schema.String
})
export type PolicyIssue = typeof PolicyIssue.Type

/** Fails with every issue of the policy, not only the first. */
export class PolicyError extends Schema.TaggedError<PolicyError>()("PolicyError", {
  issues: Schema.Array(PolicyIssue)
}) {
  override get message(): string {
    return this.issues.map(({ message, path }) => (path === "" ? message : `${path}: ${message}`)).join("\n")
  }
}
