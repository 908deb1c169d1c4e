/** Runs the tiers and rules over some entries, and gives the drafts of their outcomes with everything that they noted. */
import type * as Entry from "../../Entry.ts"
import type { Steps } from "../Steps.ts"
import { accountMismatch } from "./breaks/AccountMismatch.ts"
import { amountMismatch } from "./breaks/AmountMismatch.ts"
import { besideDisputed } from "./breaks/BesideDisputed.ts"
import { chains } from "./breaks/Chains.ts"
import * as Disputed from "./breaks/Disputed.ts"
import { failedAttempt } from "./breaks/FailedAttempt.ts"
import { lastLook } from "./breaks/LastLook.ts"
import { late, settledLater } from "./breaks/Late.ts"
import { missing } from "./breaks/Missing.ts"
import { objections } from "./breaks/Objections.ts"
import { pending } from "./breaks/Pending.ts"
import { reversed } from "./breaks/Reversed.ts"
import { setAside } from "./breaks/SetAside.ts"
import { settledSums, settledUnlike } from "./breaks/SettledUnlike.ts"
import { splitAmbiguous } from "./breaks/SplitAmbiguous.ts"
import { splitIncomplete } from "./breaks/SplitIncomplete.ts"
import { waiting } from "./breaks/Waiting.ts"
import { wrongDirection } from "./breaks/WrongDirection.ts"
import * as Doubts from "./candidates/Doubts.ts"
import * as Finality from "./finality/Finality.ts"
import { grouped } from "./groups/Grouped.ts"
import * as GroupTargets from "./groups/GroupTargets.ts"
import * as ConflictVersions from "./ledger/ConflictVersions.ts"
import * as Draft from "./ledger/Draft.ts"
import * as Ledger from "./ledger/Ledger.ts"
import type * as OpenPairs from "./ledger/OpenPairs.ts"
import type { PendingDeposits } from "./ledger/PendingDeposits.ts"
import type { Terms } from "./ledger/Terms.ts"
import * as Validation from "./ledger/Validation.ts"
import { exact } from "./tiers/Exact.ts"
import { linked } from "./tiers/Linked.ts"
import * as Links from "./tiers/Links.ts"
import { reference } from "./tiers/Reference.ts"
import { tolerant } from "./tiers/Tolerant.ts"
import type { Workbench } from "./Workbench.ts"

export interface Question {
  readonly deposits: ReadonlyArray<Entry.Entry>
  readonly transfers: ReadonlyArray<Entry.Entry>
  /** What was read, whoever asked for it. */
  readonly read: Finality.ReadScopes
  readonly terms: Terms
  readonly pendingDeposits: PendingDeposits
  /** The pairs that were decided elsewhere and may still change. */
  readonly openPairs?: OpenPairs.OpenPairs | undefined
}

export interface Decision {
  readonly bench: Workbench
  readonly drafts: ReadonlyArray<Draft.Draft>
  /** Entries of which several contents came. None of them was matched. */
  readonly conflicts: Readonly<Record<Entry.Side, Validation.Validation["conflicts"]>>
  /** The number of entries that came again with the same content. */
  readonly repeated: Readonly<Record<Entry.Side, number>>
  /** Warnings about links that could not be followed. */
  readonly warnings: ReadonlyArray<string>
}

/**
 * The tiers in order. Entries that one of them settles are not seen by the next. Components with unlike amounts come before
 * those of equal ones.
 */
const tiers: ReadonlyArray<(bench: Workbench) => Steps<void> | void> = [reference, tolerant, exact, grouped]

const referenceOnly = [reference]

export const decide = function*(question: Question): Steps<Decision> {
  const { openPairs, pendingDeposits, read, terms } = question
  const { accounts, direction, policy } = terms
  const intakes = {
    deposit: Validation.read(question.deposits),
    transfer: Validation.read(question.transfers)
  }
  const conflicts = { deposit: intakes.deposit.conflicts, transfer: intakes.transfer.conflicts }
  const ledger = Ledger.make({
    terms,
    deposits: intakes.deposit.entries,
    transfers: intakes.transfer.entries
  })
  const { drafts, settle } = Draft.collect(ledger)
  const bench: Workbench = {
    ledger,
    finality: Finality.make({ ledger, read, direction, openPairs }),
    settle,
    doubts: Doubts.make(ledger),
    groupTargets: GroupTargets.make(),
    pendingDeposits
  }
  const links = Links.find(ledger)
  linked(bench, links.found)
  Links.settlePartial(bench, links.partial)
  setAside(bench)
  const contents = ConflictVersions.make(policy, accounts)
  const disputed = Disputed.make(bench, conflicts, terms, contents)
  reversed(bench, direction)
  for (const tier of policy.reference === "only" ? referenceOnly : tiers) {
    yield
    const steps = tier(bench)
    if (steps !== undefined) yield* steps
  }

  const rules: ReadonlyArray<() => void> = [
    () => chains(bench),
    () => settledSums(bench),
    () => objections(bench, drafts, contents),
    () => failedAttempt(bench),
    () => waiting(bench),
    () => settledLater(bench, drafts),
    () => wrongDirection(bench),
    () => accountMismatch(bench),
    () => late(bench, drafts),
    () => settledUnlike(bench),
    () => amountMismatch(bench),
    () => splitAmbiguous(bench),
    () => splitIncomplete(bench),
    () => pending(bench)
  ]
  for (const rule of rules) {
    yield
    rule()
  }
  yield* missing(bench, drafts, disputed, direction)
  const looked = yield* lastLook(bench, drafts)
  yield

  return {
    bench,
    drafts: besideDisputed(ledger, disputed, looked),
    conflicts,
    repeated: { deposit: intakes.deposit.repeated, transfer: intakes.transfer.repeated },
    warnings: links.warnings
  }
}
