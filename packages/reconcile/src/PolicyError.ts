/** The error of a policy that cannot be used. It lists all faults of the policy. */
import * as Schema from "effect/Schema"

/** One fault: where it is, what came, and what is allowed. */
export const PolicyIssue = Schema.Struct({
  /** The key as a path, `window.before` or `links[2].deposits[0]`; empty for the policy as a whole. */
  path: Schema.String,
  /** The value that came, and the values that are allowed. */
  message: Schema.String
})
export type PolicyIssue = typeof PolicyIssue.Type

/** The policy cannot be used. All issues are listed, not only the first. */
export class PolicyError extends Schema.TaggedError<PolicyError>("@tallystick/reconcile/PolicyError")("PolicyError", {
  issues: Schema.Array(PolicyIssue)
}) {
  override get message(): string {
    return this.issues.map(({ message, path }) => (path === "" ? message : `${path}: ${message}`)).join("\n")
  }
}
