/**
 * The matching engine: entries of two sides in, one outcome for every entry out. Pure and synchronous; the same input
 * in any order gives the same result.
 */
import type * as BadRecord from "@tallystick/core/BadRecord"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Result from "effect/Result"
import type * as Accounts from "./Accounts.ts"
import * as AddressBook from "./AddressBook.ts"
import type * as Entry from "./Entry.ts"
import * as Closure from "./internal/matching/Closure.ts"
import * as Direction from "./internal/matching/Direction.ts"
import * as Drafts from "./internal/matching/Drafts.ts"
import * as Finish from "./internal/matching/Finish.ts"
import * as Intake from "./internal/matching/Intake.ts"
import * as Ledger from "./internal/matching/Ledger.ts"
import { amountMismatch } from "./internal/matching/leftovers/AmountMismatch.ts"
import { failedAttempt } from "./internal/matching/leftovers/FailedAttempt.ts"
import { late } from "./internal/matching/leftovers/Late.ts"
import { missing } from "./internal/matching/leftovers/Missing.ts"
import { pending } from "./internal/matching/leftovers/Pending.ts"
import * as Links from "./internal/matching/Links.ts"
import * as Notes from "./internal/matching/Notes.ts"
import * as Reading from "./internal/matching/Reading.ts"
import type { Run } from "./internal/matching/Run.ts"
import { setAside } from "./internal/matching/SetAside.ts"
import { exact } from "./internal/matching/tiers/Exact.ts"
import { linked } from "./internal/matching/tiers/Linked.ts"
import { reference } from "./internal/matching/tiers/Reference.ts"
import { tolerant } from "./internal/matching/tiers/Tolerant.ts"
import * as Ties from "./internal/matching/Ties.ts"
import * as Words from "./internal/matching/Words.ts"
import type * as Outcome from "./Outcome.ts"
import type * as Policy from "./Policy.ts"
import { PolicyError } from "./PolicyError.ts"

export interface Input {
  readonly deposits: ReadonlyArray<Entry.Entry>
  readonly transfers: ReadonlyArray<Entry.Entry>
  readonly bad: ReadonlyArray<BadRecord.BadRecord>
  /** What was read completely. A coverage without `query` speaks about everything of its operation. */
  readonly coverage: ReadonlyArray<Coverage.Coverage>
  readonly policy: Policy.Resolved
  readonly accounts: Accounts.Accounts
  readonly addresses?: AddressBook.AddressBook
  /** Unix ms, `[from, to)`. Entries outside serve as candidates; outcomes that hold none from inside are left out. */
  readonly range?: Coverage.Interval
}

export interface Output {
  /** Ordered by (earliest time, id). */
  readonly outcomes: ReadonlyArray<Outcome.Outcome>
  readonly warnings: ReadonlyArray<string>
}

/** The tiers in order; what one of them settles is gone for the next. Tier `grouped` has its place behind `tolerant`. */
const tiers: ReadonlyArray<(run: Run) => void> = [reference, exact, tolerant]

const referenceOnly = [reference]

/** Checks what only the entries can show: links to entries that do not exist, or between assets that differ. */
export const check = ({ deposits, policy, transfers }: Pick<Input, "deposits" | "transfers" | "policy">): Result.Result<
  void,
  PolicyError
> => {
  const issues = Links.issues(policy, deposits, transfers)
  return issues.length === 0 ? Result.succeed(undefined) : Result.fail(new PolicyError({ issues }))
}

const asides = (intake: Intake.Intake, side: Entry.Side): ReadonlyArray<Outcome.Outcome> =>
  intake.conflicts.map((versions) =>
    Finish.aside(
      "source-conflict",
      `The source gave ${versions.length} different contents for ${side} ${versions[0]?.id}; none of them was matched.`,
      side === "deposit" ? { deposits: versions } : { transfers: versions }
    )
  )

const badOutcomes = (bad: ReadonlyArray<BadRecord.BadRecord>): ReadonlyArray<Outcome.Outcome> => {
  const seen = new Map<string, number>()
  return bad.map((record) => {
    const key = JSON.stringify([record.side, record.source, record.path, record.reason, record.raw])
    const ordinal = seen.get(key) ?? 0
    seen.set(key, ordinal + 1)
    const what = record.path === "" ? "it" : `"${record.path}"`
    return Finish.aside(
      "bad-record",
      `A ${record.side} record at ${record.source} could not be used: ${what}: ${record.reason}.`,
      {
        bad: record,
        ordinal
      }
    )
  })
}

/** What is missing may be among records of the other side that could not be used: then nothing is final about it. */
const besideBad = (bad: ReadonlyArray<BadRecord.BadRecord>, outcome: Outcome.Outcome): Outcome.Outcome => {
  const other = outcome.code === "missing-transfer"
    ? "transfer"
    : outcome.code === "missing-deposit"
    ? "deposit"
    : undefined
  const unusable = bad.filter(({ side }) => side === other).length
  return unusable === 0 ? outcome : {
    ...outcome,
    final: false,
    explanation: `${
      outcome.explanation.replace(
        ", although everything in its window was read",
        " among the records that could be used"
      )
        .replace(/\.$/, "")
    }; ${Words.count(unusable, `${other} record`)} could not be used, and it may be among them.`
  }
}

/** Gives every entry its outcome. Call `check` first: a link that cannot be followed is only a warning here. */
export const match = (input: Input): Output => {
  const { accounts, addresses = [], coverage, policy, range } = input
  const intakes = {
    deposit: Intake.read("deposit", input.deposits),
    transfer: Intake.read("transfer", input.transfers)
  }
  const direction = Direction.make(policy.flows, accounts)
  const ledger = Ledger.make({
    policy,
    deposits: intakes.deposit.entries,
    transfers: intakes.transfer.entries,
    direction,
    addresses: AddressBook.lookup(addresses)
  })
  const reading = Reading.make(ledger, coverage, accounts, direction)
  const { drafts, settle } = Drafts.collect(ledger)
  const run: Run = {
    ledger,
    reading,
    closure: Closure.make(ledger, reading),
    settle,
    notes: Notes.make(ledger),
    ties: Ties.make(ledger)
  }
  const warnings: Array<string> = []

  const links = Links.find(ledger)
  warnings.push(...links.warnings)
  linked(run, links.found)
  warnings.push(...setAside(run))
  for (const tier of policy.reference === "only" ? referenceOnly : tiers) tier(run)

  failedAttempt(run)
  late(run)
  amountMismatch(run)
  pending(run)
  missing(run, drafts)

  for (const side of ["deposit", "transfer"] as const) {
    const { repeated } = intakes[side]
    if (repeated > 0) {
      warnings.push(`${Words.count(repeated, side)} came again with the same id and content, and counts once.`)
    }
  }
  const bad = [...input.bad, ...intakes.deposit.bad, ...intakes.transfer.bad]
  if (bad.length > 0) {
    warnings.push(`${Words.count(bad.length, "record")} could not be used; what is named missing may be among them.`)
  }
  const isInside = ({ at }: Entry.Entry): boolean => range === undefined || (at >= range.from && at < range.to)
  const outcomes = [
    ...drafts.map((draft) => besideBad(bad, Finish.finish(run, draft))),
    ...asides(intakes.deposit, "deposit"),
    ...asides(intakes.transfer, "transfer")
  ].filter(({ deposits, transfers }) => deposits.some(isInside) || transfers.some(isInside))
  return { outcomes: Finish.sort([...outcomes, ...badOutcomes(bad)]), warnings }
}
