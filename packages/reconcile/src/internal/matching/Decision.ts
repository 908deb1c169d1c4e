/** What the tiers and rules make of some entries: drafts of outcomes, and everything that is known around them. */
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Accounts from "../../Accounts.ts"
import * as AddressBook from "../../AddressBook.ts"
import type * as Entry from "../../Entry.ts"
import type * as Policy from "../../Policy.ts"
import * as Closure from "./Closure.ts"
import * as Contents from "./Contents.ts"
import * as Direction from "./Direction.ts"
import * as Drafts from "./Drafts.ts"
import * as GroupTargets from "./GroupTargets.ts"
import * as Intake from "./Intake.ts"
import * as Ledger from "./Ledger.ts"
import { accountMismatch } from "./leftovers/AccountMismatch.ts"
import { amountMismatch } from "./leftovers/AmountMismatch.ts"
import { besideDisputed } from "./leftovers/BesideDisputed.ts"
import { chains } from "./leftovers/Chains.ts"
import * as Disputed from "./leftovers/Disputed.ts"
import { failedAttempt } from "./leftovers/FailedAttempt.ts"
import { lastLook } from "./leftovers/LastLook.ts"
import { late, settledLater } from "./leftovers/Late.ts"
import { missing } from "./leftovers/Missing.ts"
import { objections } from "./leftovers/Objections.ts"
import { pending } from "./leftovers/Pending.ts"
import { reversed } from "./leftovers/Reversed.ts"
import { settledSums, settledUnlike } from "./leftovers/SettledUnlike.ts"
import { splitAmbiguous } from "./leftovers/SplitAmbiguous.ts"
import { splitIncomplete } from "./leftovers/SplitIncomplete.ts"
import { waiting } from "./leftovers/Waiting.ts"
import { wrongDirection } from "./leftovers/WrongDirection.ts"
import * as Links from "./Links.ts"
import * as Notes from "./Notes.ts"
import * as Postponed from "./Postponed.ts"
import * as Reading from "./Reading.ts"
import type { Run } from "./Run.ts"
import { setAside } from "./SetAside.ts"
import { exact } from "./tiers/Exact.ts"
import { grouped } from "./tiers/Grouped.ts"
import { linked } from "./tiers/Linked.ts"
import { reference } from "./tiers/Reference.ts"
import { tolerant } from "./tiers/Tolerant.ts"
import * as Ties from "./Ties.ts"
import * as Told from "./Told.ts"

export interface Question {
  readonly deposits: ReadonlyArray<Entry.Entry>
  readonly transfers: ReadonlyArray<Entry.Entry>
  readonly coverage: ReadonlyArray<Coverage.Coverage>
  readonly policy: Policy.Resolved
  readonly accounts: Accounts.Accounts
  readonly addresses?: AddressBook.AddressBook | undefined
  /** Outcomes of entries among these that are told already. */
  readonly told?: Told.ById
}

export interface Decision {
  readonly run: Run
  readonly drafts: ReadonlyArray<Drafts.Draft>
  /** One identity with several contents: none of them was matched. */
  readonly conflicts: Readonly<Record<Entry.Side, Intake.Intake["conflicts"]>>
  /** How many entries came again with the same content. */
  readonly repeated: Readonly<Record<Entry.Side, number>>
  readonly warnings: ReadonlyArray<string>
  /** Judges by another coverage. */
  readonly readAs: (coverage: ReadonlyArray<Coverage.Coverage>) => Reading.Reading
}

/** The tiers in order; what one of them settles is gone for the next. What hangs together with unlike amounts goes before equal ones. */
const tiers: ReadonlyArray<(run: Run) => void> = [reference, tolerant, exact, grouped]

const referenceOnly = [reference]

export const decide = (question: Question): Decision => {
  const { accounts, addresses = [], coverage, policy, told = Told.nothing } = question
  const intakes = {
    deposit: Intake.read(question.deposits),
    transfer: Intake.read(question.transfers)
  }
  const conflicts = { deposit: intakes.deposit.conflicts, transfer: intakes.transfer.conflicts }
  const direction = Direction.make(policy.flows, accounts)
  const ledger = Ledger.make({
    policy,
    deposits: intakes.deposit.entries,
    transfers: intakes.transfer.entries,
    direction,
    addresses: AddressBook.lookup(addresses)
  })
  const readAs = (coverage: ReadonlyArray<Coverage.Coverage>) => Reading.make(ledger, coverage, accounts, direction)
  const reading = readAs(coverage)
  const ties = Ties.make(ledger)
  const before = Told.make(ledger, told)
  const { drafts, settle } = Drafts.collect(ledger, before)
  const run: Run = {
    ledger,
    reading,
    closure: Closure.make(ledger, reading, ties),
    settle,
    notes: Notes.make(ledger),
    postponed: Postponed.make(),
    ties,
    groupTargets: GroupTargets.make(),
    told: before
  }
  const warnings: Array<string> = []

  const links = Links.find(ledger)
  warnings.push(...links.warnings)
  linked(run, links.found)
  Links.settlePartial(run, links.partial)
  warnings.push(...setAside(run))
  const contents = Contents.make(policy, accounts)
  const disputed = Disputed.make(run, conflicts, direction, contents)
  reversed(run, direction)
  for (const tier of policy.reference === "only" ? referenceOnly : tiers) tier(run)

  Told.close(ledger, before)
  chains(run)
  settledSums(run)
  objections(run, drafts, contents)
  failedAttempt(run)
  waiting(run)
  settledLater(run, drafts)
  wrongDirection(run)
  accountMismatch(run)
  late(run, drafts)
  settledUnlike(run)
  amountMismatch(run)
  splitAmbiguous(run)
  splitIncomplete(run)
  pending(run)
  missing(run, drafts, disputed, direction)

  return {
    run,
    drafts: besideDisputed(ledger, disputed, lastLook(run, drafts)),
    conflicts,
    repeated: { deposit: intakes.deposit.repeated, transfer: intakes.transfer.repeated },
    warnings,
    readAs
  }
}
