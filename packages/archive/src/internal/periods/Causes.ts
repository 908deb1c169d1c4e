/** Why an entry of a closed period does not stand as it did. */
import * as Decision from "../../Decision.ts"
import * as Execution from "../../Execution.ts"
import type * as Period from "../../Period.ts"
import type * as EntryStates from "../books/EntryStates.ts"
import * as Judgement from "../books/Judgement.ts"
import type * as Ledger from "../ledger/Ledger.ts"
import * as Subjects from "../ledger/Subjects.ts"

type Stood = Judgement.Judgement

const isSameContent = (a: Stood, b: Stood): boolean =>
  a.asset === b.asset && a.amount === b.amount && a.at === b.at && a.account === b.account

/** The records of an entry with such a code are gone, or tell several contents of it. */
const RETOLD: ReadonlySet<Stood["code"]> = new Set([Judgement.GONE, "vanished", "source-conflict"])

/** Tells whether the records say something else of the entry itself, though the books may keep what they said first. */
export const isRetold = (before: Stood, after: Stood): boolean =>
  !isSameContent(before, after) || (RETOLD.has(after.code) && after.code !== before.code)

export const isSame = (before: Stood, after: Stood): boolean => before.state === after.state && !isRetold(before, after)

/** What changes matching, with the entries that it names. */
const rulings = (decisions: ReadonlyArray<Decision.Decision>) => {
  const named = new Map(decisions.map(({ body }) => [body.number, Decision.subjects(body)]))
  return decisions.flatMap(({ body }) => {
    if (body.kind === "note") return []
    const entries = body.kind === "revoke" || body.kind === "approve"
      ? named.get(body.decision) ?? []
      : Decision.subjects(body)
    return [{ number: body.number, keys: new Set(entries.map(Subjects.keyOf)) }]
  })
}

/** The accounts and addresses that an execution knew at a time. */
const listsOf = (body: Execution.Body, at: number): string => {
  const { accounts } = Execution.judgingAt(body, at)
  return `${accounts.digest} ${accounts.complete} ${body.addresses.digest}`
}

interface Changed {
  /** The number of the close. */
  readonly close: number
  readonly before: Stood | undefined
  readonly after: EntryStates.EntryState | undefined
  /** The entry and those that stood with it at the close, by `Subjects.keyOf`. */
  readonly beside: ReadonlyArray<string>
}

export const make = ({ decisions, executions: all }: Ledger.Read) => {
  const decided = rulings(decisions)
  const executions = all.map(({ body }) => body)

  /** Gives what changed between the execution before the close and the one that judged the entry last; there is one thing at least. */
  return ({ after, before, beside, close }: Changed): ReadonlyArray<Period.Cause> => {
    const records: ReadonlyArray<Period.Cause> = before === undefined || after === undefined || isRetold(before, after)
      ? [{ of: "records" }]
      : []
    const entry = before ?? after
    const then = entry && Execution.judged(executions.filter(({ number }) => number < close))
      .find(({ from, to }) => from <= entry.at && entry.at < to)?.by
    const now = executions.find(({ number }) => number === after?.execution)
    if (entry === undefined || then === undefined || now === undefined) {
      return records.length > 0 ? records : [{ of: "surroundings" }]
    }
    const told: ReadonlyArray<Period.Cause> = [
      ...records,
      ...decided.filter(({ keys, number }) =>
        number > close && number < now.number && beside.some((key) => keys.has(key))
      )
        .map(({ number }) => ({ of: "decision" as const, number })),
      ...(then.policy === now.policy && then.lines === now.lines
        ? []
        : [{ of: "policy" as const, execution: now.number }]),
      ...(listsOf(then, entry.at) === listsOf(now, after?.at ?? entry.at)
        ? []
        : [{ of: "accounts" as const, execution: now.number }])
    ]
    return told.length > 0 ? told : [{ of: "surroundings" }]
  }
}
