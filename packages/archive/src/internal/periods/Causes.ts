/** Why an entry of a closed period does not stand as it did. */
import * as Effect from "effect/Effect"
import type * as ArchiveError from "../../ArchiveError.ts"
import * as BookState from "../../BookState.ts"
import * as Decision from "../../Decision.ts"
import * as Execution from "../../Execution.ts"
import type * as Period from "../../Period.ts"
import * as Judgement from "../books/Judgement.ts"
import type * as Ledger from "../ledger/Ledger.ts"
import * as Subjects from "../ledger/Subjects.ts"
import type * as OtherLines from "./OtherLines.ts"

type Stood = Judgement.Judgement

/** Says of whom an entry is told. It is no record that tells the account of a deposit, but the lists of accounts and addresses. */
const accountOf = ({ account, side }: Stood, hasOtherLists: boolean): string | undefined =>
  side === "deposit" && hasOtherLists ? undefined : account

/** The records of an entry with such a code are gone, or tell several contents of it. */
const RETOLD: ReadonlySet<Stood["code"]> = new Set([Judgement.GONE, "vanished", "source-conflict"])

/**
 * Tells whether the records say something else of the entry itself, though the books may keep what they said first. Where the lists of
 * accounts and addresses are others, another account of a deposit alone says nothing of its record.
 */
const isRetold = (before: Stood, after: Stood, hasOtherLists: boolean): boolean =>
  before.asset !== after.asset || before.at !== after.at || !Judgement.isSameAmount(before, after) ||
  accountOf(before, hasOtherLists) !== accountOf(after, hasOtherLists) ||
  (RETOLD.has(after.code) && after.code !== before.code)

export const isSame = (before: Stood, after: Stood): boolean =>
  before.state === after.state && !isRetold(before, after, false)

/** Tells whether a decision is followed, or was before it was revoked: one that was only proposed never was. */
const everHeld = (decision: Decision.Decision): boolean =>
  Decision.isFollowed(decision.body) && Decision.everCounted(decision)

/** What was only proposed is followed from its approval on. */
const followedFrom = ({ approvedBy, body }: Decision.Decision): number => approvedBy ?? body.number

/** Gives what changed matching, with the entries that it names: a decision from when it was followed, and what took it back. */
const rulings = (decisions: ReadonlyArray<Decision.Decision>) => {
  const byNumber = new Map(decisions.map((decision) => [decision.body.number, decision]))
  return decisions.filter(everHeld).flatMap((decision) => {
    const entries = Decision.subjects(decision.body)
    const keys = new Set(entries.map(Subjects.keyOf))
    const revocation = decision.revokedBy === undefined ? undefined : byNumber.get(decision.revokedBy)
    return [decision, ...(revocation === undefined ? [] : [revocation])]
      .map((change) => ({ number: followedFrom(change), keys, entries }))
  }).toSorted((a, b) => a.number - b.number)
}

/** The accounts and addresses that an execution knew at a time. */
const listsOf = (body: Execution.Body, at: number): string => {
  const { accounts } = Execution.judgingAt(body, at)
  return `${accounts.digest} ${accounts.complete} ${body.addresses.digest}`
}

interface Changed {
  readonly before: Stood | undefined
  readonly after: Period.Stands | undefined
  /** The entry and those that stood with it at the close, by `Subjects.keyOf`. */
  readonly beside: ReadonlyArray<string>
}

/** Tells of what changed behind a close; `close` is its number. */
export const make = (
  { decisions, executions: all }: Ledger.Read,
  close: number,
  hasOtherLines: OtherLines.OtherLines
) => {
  const decided = rulings(decisions)
  const executions = new Map(all.map(({ body }) => [body.number, body]))
  const earlier = Execution.judged(Array.from(executions.values()).filter(({ number }) => number < close))

  /** Gives the execution that judged an entry last before the close. */
  const lastBefore = (entry: Pick<Stood, "at">): Execution.Body | undefined =>
    earlier.find(({ from, to }) => from <= entry.at && entry.at < to)?.by

  const hasOtherLists = (before: Stood, after: Period.Stands): boolean => {
    const [then, now] = [lastBefore(before), executions.get(after.execution)]
    return then !== undefined && now !== undefined && listsOf(then, before.at) !== listsOf(now, after.at)
  }

  /** What was carried may become whatever it becomes, but for what the records say of the entry itself. */
  const isExpected = (before: Stood, after: Period.Stands): boolean =>
    BookState.isWaiting(before.state) && !isRetold(before, after, hasOtherLists(before, after))

  /** Gives what changed between the execution before the close and the one that judged the entry last; there is one thing at least. */
  const of = Effect.fnUntraced(function*(
    { after, before, beside }: Changed
  ): Effect.fn.Return<ReadonlyArray<Period.Cause>, ArchiveError.DatabaseError> {
    const isOfOtherLists = before !== undefined && after !== undefined && hasOtherLists(before, after)
    const records: ReadonlyArray<Period.Cause> =
      before === undefined || after === undefined || isRetold(before, after, isOfOtherLists)
        ? [{ of: "records" }]
        : []
    const entry = before ?? after
    const then = entry && lastBefore(entry)
    const now = after && executions.get(after.execution)
    if (then === undefined || now === undefined) return records.length > 0 ? records : [{ of: "surroundings" }]
    const own: ReadonlyArray<Period.Cause> = [
      ...records,
      ...decided.filter(({ keys, number }) =>
        number > then.number && number < now.number && beside.some((key) => keys.has(key))
      )
        .map(({ number }) => ({ of: "decision" as const, number }))
    ]
    const common: ReadonlyArray<Period.Cause> = [
      ...(then.policy !== now.policy || (yield* hasOtherLines(then, now))
        ? [{ of: "policy" as const, execution: now.number }]
        : []),
      ...(isOfOtherLists ? [{ of: "accounts" as const, execution: now.number }] : [])
    ]
    // Another policy or another list may have nothing to do with this entry, and records around it everything.
    return own.length > 0 ? [...own, ...common] : [...common, { of: "surroundings" }]
  })

  /** Gives the entries on which somebody decided since they were judged last before the close, or took a decision back. */
  const ruled: ReadonlyArray<Decision.Subject> = decided.flatMap(({ entries, number }) =>
    entries.filter((entry) => number > (lastBefore(entry)?.number ?? number))
  )

  return { isExpected, of, ruled }
}
