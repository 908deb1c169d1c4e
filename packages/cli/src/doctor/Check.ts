/** One thing that `doctor` looked at, and what it found. */
import * as Schema from "effect/Schema"
import * as Failure from "../Failure.ts"

export const Status = Schema.Literals(["ok", "warning", "failed", "skipped"])
export type Status = typeof Status.Type

/** Checks of this machine: settings and files. */
const onThisMachine = ["configuration", "archive", "policy", "accounts", "addresses", "deposits", "transfers"] as const

/** Checks that ask the service, or follow from its answers. */
const atTheService = [
  "connection",
  "clock",
  "read deposits",
  "read transfers",
  "sub-accounts",
  "write permission",
  "rate",
  "retention",
  "unread"
] as const

/** Names that monitoring may rely on. */
export const What = Schema.Literals([...onThisMachine, ...atTheService])
export type What = typeof What.Type

/** A check as `--format json` writes it. */
export const Check = Schema.Struct({
  what: What,
  status: Status,
  /** The finding in a sentence or two. It may hold words of strangers. */
  finding: Schema.String,
  /** Advice, where something is not right. */
  advice: Schema.optionalKey(Schema.String)
})
export type Check = typeof Check.Type

export const Checks = Schema.Array(Check)

export const ok = (what: What, finding: string): Check => ({ what, status: "ok", finding })
export const warning = (what: What, finding: string, advice: string): Check => ({
  what,
  status: "warning",
  finding,
  advice
})
export const failed = (what: What, finding: string, advice?: string): Check => ({
  what,
  status: "failed",
  finding,
  ...(advice === undefined ? {} : { advice })
})
/** Not looked at, or not to be looked at: why. */
export const skipped = (what: What, finding: string, advice?: string): Check => ({
  ...failed(what, finding, advice),
  status: "skipped"
})

const names = (checks: ReadonlyArray<Check>, status: Status): ReadonlyArray<string> =>
  Array.from(new Set(checks.filter((check) => check.status === status).map(({ what }) => what)))

/** The result in a line: `failed: clock, read deposits; to be looked at: rate`. */
export const summary = (checks: ReadonlyArray<Check>): string => {
  const [failed, warned] = [names(checks, "failed"), names(checks, "warning")]
  const warnings = warned.length === 0 ? "" : `with warnings: ${warned.join(", ")}`
  if (failed.length === 0) return warnings === "" ? "nothing failed" : `nothing failed; ${warnings}`
  return `failed: ${failed.join(", ")}${warnings === "" ? "" : `; ${warnings}`}`
}

/**
 * How the command ends: 2 when something on this machine failed, else 3 when something at the service did, else 1 when it soon
 * forgets something unread.
 */
export const failure = (checks: ReadonlyArray<Check>): Failure.Failure | undefined => {
  const failed = new Set<string>(names(checks, "failed"))
  if (failed.size === 0) {
    return checks.some(({ status, what }) => what === "unread" && status === "warning")
      ? Failure.notClean(summary(checks))
      : undefined
  }
  return onThisMachine.some((what) => failed.has(what))
    ? Failure.usage(summary(checks))
    : Failure.unfinished(summary(checks))
}
