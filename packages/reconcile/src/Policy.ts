/**
 * The policy: which transfer may belong to which deposit, as data.
 *
 * A policy is written with every key optional (`Policy`), checked by `decode`, and used and shown with its defaults
 * filled in (`Resolved`). Unknown keys are refused by name at every level.
 */
import * as Brand from "effect/Brand"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Record from "effect/Record"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as SchemaIssue from "effect/SchemaIssue"
import type * as Entry from "./Entry.ts"
import * as Consistency from "./internal/policy/Consistency.ts"
import * as internal from "./internal/policy/Resolved.ts"
import { Resolved } from "./internal/policy/Resolved.ts"
import { Policy } from "./internal/policy/Written.ts"
import { PolicyError } from "./PolicyError.ts"

export {
  /** A policy as written: durations as text or ms, amounts as decimal text, everything optional. */
  Policy
} from "./internal/policy/Written.ts"

/** A policy that `decode` has checked. A literal of the right type may still be wrong: `"1 hours ago"` is no duration. */
export type Decoded = Policy & Brand.Brand<"@tallystick/reconcile/Policy">

const checked = Brand.nominal<Decoded>()

/** A length of time: whole ms, a text such as `"90 seconds"`, or a `Duration` of whole ms. */
type Length = number | string | Duration.Duration

interface Lengths {
  /** When a transfer may come: `−before ≤ lag ≤ after`. */
  readonly window?: {
    /** How long before its deposit a transfer may come; the default is 1 minute. */
    readonly before?: Length
    /** How long behind its deposit a transfer may come; the default is 1 hour. */
    readonly after?: Length
  }
  /** How far outside the window an equal transfer is still `late` or `early`; the default is 23 hours. */
  readonly late?: Length
}

/** A policy as a program writes it: the same as `Policy`, where a length of time may also be a `Duration`. */
export interface Input extends Omit<Policy, keyof Lengths | "per">, Lengths {
  /** Rules for single assets. */
  readonly per?: ReadonlyArray<Omit<NonNullable<Policy["per"]>[number], keyof Lengths> & Lengths>
}

export { Resolved }

/** The rule for one deposit: window, lateness and tolerance. */
export type Rule = internal.Rule

const decodeWritten = Schema.decodeUnknownResult(Policy, {
  errors: "all",
  onExcessProperty: "error",
  reportInput: true
})

/** Says what was wanted in the words of the schema's own check: "string" would not say that it is decimal text. */
const wanted = (issue: SchemaIssue.InvalidType): string => {
  const message = SchemaIssue.defaultLeafHook(issue)
  const expected = SchemaAST.resolve(issue.ast)?.["expected"]
  return typeof expected === "string" ? message.replace(/^Expected [^,]+/, () => `Expected ${expected}`) : message
}

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => {
    if (issue._tag === "UnexpectedKey") return "this key is not known to a policy"
    return issue._tag === "InvalidType" ? wanted(issue) : SchemaIssue.defaultLeafHook(issue)
  }
})

/** Says that a list lacks a value, where the schema would say that it lacks a key. */
const lacking = (message: string, path: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }>): string => {
  if (message !== "Missing key") return message
  const last = path.at(-1)
  return typeof (typeof last === "object" ? last.key : last) === "number"
    ? "a value is missing here: the list is too short"
    : "this key is missing"
}

const text = (path: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }>): string =>
  path
    .map((step) => (typeof step === "object" ? step.key : step))
    .map((key, index) => (typeof key === "number" ? `[${key}]` : `${index === 0 ? "" : "."}${String(key)}`))
    .join("")

/** Reads a policy, or fails with all its faults. Each says where it is, what came, and what is allowed. */
export const decode = (input: unknown): Result.Result<Decoded, PolicyError> => {
  const written = decodeWritten(input)
  if (Result.isFailure(written)) {
    const issues = format(written.failure.issue).issues.map(({ message, path }) => ({
      path: text(path ?? []),
      message: lacking(message, path ?? [])
    }))
    return Result.fail(new PolicyError({ issues }))
  }
  const issues = Consistency.issues(written.success)
  return issues.length === 0 ? Result.succeed(checked(written.success)) : Result.fail(new PolicyError({ issues }))
}

/** Fills in the defaults and turns durations into ms. */
export const resolve: (policy: Decoded) => Resolved = internal.resolve

const written = (value: unknown): unknown => {
  if (Duration.isDuration(value)) return Duration.toMillis(value)
  if (Array.isArray(value)) return value.map(written)
  return Predicate.isObject(value) ? Record.map(value, written) : value
}

/** Checks a policy and fills in its defaults, or fails with all its faults. Without a key, its default holds. */
export const make = (policy: Input): Effect.Effect<Resolved, PolicyError> =>
  Effect.fromResult(Result.map(decode(written(policy)), resolve))

/** The policy of an empty file. */
export const defaults: Resolved = internal.resolve({})

/** Returns what a source's own status word or code means under this policy. */
export const statusOf = (policy: Resolved, side: Entry.Side, code: string | number): Entry.Status => {
  const codes = policy.statuses[side]
  const holds = (list: ReadonlyArray<string | number>): boolean => list.some((known) => String(known) === String(code))
  if (holds(codes.settled)) return "settled"
  if (holds(codes.failed)) return "failed"
  return holds(codes.pending) ? "pending" : "unknown"
}

/** Returns the one name of assets that the policy calls equal: the first of their list. */
export const aliasOf = ({ assets }: Pick<Resolved, "assets">): (asset: string) => string => {
  const first = new Map(assets.aliases.flatMap((names) => names.map((name) => [name, names[0] ?? name] as const)))
  return (asset) => first.get(asset) ?? asset
}

/** Returns how far from an entry its counterpart may lie, late ones included, by the widest rule of the policy; ms. */
export const horizon = (policy: Resolved): number =>
  Math.max(
    ...[policy, ...policy.per].map(({ late, window }) =>
      Math.max(Math.abs(window.before), Math.abs(window.after)) + late
    )
  )
