/** Two runs are the same where the question, the coverage and every outcome are the same. */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Policy from "@tallystick/reconcile/Policy"
import type * as Report from "@tallystick/reconcile/Report"
import * as Schema from "effect/Schema"
import * as Content from "./Content.ts"

const encodePolicy = Schema.encodeSync(Policy.Resolved)

/** Gives a text that is the same for the same policy. */
export const policy = ({ policy }: Report.Summary): string => JSON.stringify(encodePolicy(policy))

/** The time of reading and the words for a gap are left out, because they change from one reading to the next. */
const interval = ({ from, gap, operation, query, state, to }: Coverage.Coverage): string =>
  JSON.stringify([
    operation,
    query === undefined
      ? null
      : [query.fromAccount ?? null, query.toAccount ?? null, query.fromAccountType, query.toAccountType],
    from,
    to,
    state,
    gap?.code ?? null
  ])

const DIGITS = 16

const MODULUS = 1n << 128n

/** Adds up digests: the sum is the same in any order, and takes memory that does not grow. */
export const add = (sum: bigint, digest: string): bigint => (sum + BigInt(`0x${digest}`)) % MODULUS

/** Gives `r` and 16 hexadecimal digits; the ids of outcomes have no `r`. */
export const make = (summary: Report.Summary, outcomes: bigint, count: number): string =>
  `r${
    Content.digest(JSON.stringify([
      summary.version,
      summary.range === null ? null : [summary.range.from, summary.range.to],
      encodePolicy(summary.policy),
      [...summary.accounts.master, summary.accounts.complete, summary.accounts.digest],
      summary.addresses.digest,
      summary.coverage.map(interval).toSorted(),
      String(outcomes),
      count,
      // Links, exclusions and forbidden pairs that were followed are in the policy.
      ...(summary.decisions === undefined || summary.decisions.faults.length === 0 ? [] : [summary.decisions.faults]),
      // A run that may know its outcomes in part moves other entries than one of the same outcomes that knows them whole.
      ...(summary.mayChange === true ? ["mayChange"] : [])
    ])).slice(0, DIGITS)
  }`
