/** A run becomes an execution: a row of the ledger, and where the entries of its range stand now, in one transaction. */
import * as Timeline from "@tallystick/core/Timeline"
import * as Policy from "@tallystick/reconcile/Policy"
import type * as Report from "@tallystick/reconcile/Report"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { createHash } from "node:crypto"
import type * as ArchiveError from "../../ArchiveError.ts"
import * as BookError from "../../BookError.ts"
import * as BookState from "../../BookState.ts"
import type * as Decision from "../../Decision.ts"
import * as Execution from "../../Execution.ts"
import type * as Run from "../../Run.ts"
import * as Chain from "../ledger/Chain.ts"
import * as Ledger from "../ledger/Ledger.ts"
import * as Subjects from "../ledger/Subjects.ts"
import * as Telling from "../notices/Telling.ts"
import * as Lookup from "../runs/Lookup.ts"
import type * as Database from "../sql/Database.ts"
import type * as Derived from "./Derived.ts"
import * as EntryStates from "./EntryStates.ts"
import * as Judged from "./Judged.ts"
import * as Moves from "./Moves.ts"
import * as PolicyLines from "./PolicyLines.ts"
import * as PriceList from "./PriceList.ts"
import * as RunDigest from "./RunDigest.ts"
import * as Standing from "./Standing.ts"
import * as SummaryDigest from "./SummaryDigest.ts"

/** A recorded run, and the summary of its report. */
export interface Ran {
  readonly run: Run.Run
  readonly summary: Report.Summary
}

export interface Options {
  /** Who brings the books forward. */
  readonly author: Decision.Author
  /**
   * From this run on the books follow its policy, its accounts and its addresses, also where the last execution followed others.
   * Default: false.
   */
  readonly declare?: boolean
  /** These runs were made over all earlier time that is due (`Books.due`). Where it is absent, what is due stays due. */
  readonly carried?: ReadonlyArray<Ran>
  /** The archive stood so before any of the runs read it (`Books.standing`). Where it is absent, nothing is carried. */
  readonly standing?: Standing.Standing
  /**
   * What one unit of each asset is worth now: the report of the books then states what the roll-forward is worth. The ledger keeps the
   * prices of assets that wait. Default: none.
   */
  readonly prices?: PriceList.PriceList
  /**
   * The job that makes the execution, 64 hexadecimal digits; the ledger keeps it. If the ledger has an execution of this job already, that
   * one is given and nothing is written: a job that is done again after a crash brings the books forward once. Default: none.
   */
  readonly job?: string
  /**
   * Asked in the transaction that brings the books forward, before anything is written: where it gives false, nothing is, and the call fails
   * with `Withdrawn`. Until the transaction ends, `Books.executionOf` waits: what is told after that call, when this would give false, is true
   * for ever. Default: it may.
   */
  readonly mayBook?: Effect.Effect<boolean>
  /** Who is told of items that are open now and were not. The notices are written with the execution; `Notices.deliver` sends them. */
  readonly notify?: Telling.Audience
}

const encodePolicy = Schema.encodeSync(Schema.fromJsonString(Policy.Resolved))

/** Decisions change what a policy says of single entries from day to day; the rest is how a desk reconciles. */
export const policyOf = (policy: Policy.Resolved): string =>
  createHash("sha256").update(encodePolicy({ ...policy, links: [], forbid: [], exclude: [] })).digest("hex")

/** What a run was asked, but for its range. */
type Question = Pick<Execution.Body, "accounts" | "addresses" | "policy">

interface Counted {
  readonly count: number
  readonly digest: string
}

/** A list of which nothing is known but its length and its digest can be an earlier one that has grown. */
const mayHaveGrown = (now: Counted, last: Counted): boolean => now.digest === last.digest || now.count > last.count

/** Names what a run was asked otherwise than the last execution; nothing where it can tell of the same books. */
const otherwise = (now: Question, last: Question): BookError.OtherQuestion["of"] | undefined => {
  if (now.policy !== last.policy) return "policy"
  const isOfSame = now.accounts.master.join("\n") === last.accounts.master.join("\n") &&
    (now.accounts.complete || !last.accounts.complete) && mayHaveGrown(now.accounts, last.accounts)
  if (!isOfSame) return "accounts"
  return mayHaveGrown(now.addresses, last.addresses) ? undefined : "addresses"
}

/** Whether an entry that waited is of no flow in a run about other accounts than those of the run that judged it. */
const leaves = (
  known: ReadonlyArray<EntryStates.EntryState>,
  executions: ReadonlyArray<Execution.Execution>,
  now: Execution.Body
) => {
  const waited = new Map(
    known.filter(({ state }) => BookState.isWaiting(state)).map((state) => [Subjects.keyOf(state), state])
  )
  const byNumber = new Map(executions.map(({ body }) => [body.number, body]))
  return (entry: EntryStates.EntryState): boolean => {
    if (entry.code !== "out-of-flow") return false
    const before = waited.get(Subjects.keyOf(entry))
    const by = before && byNumber.get(before.execution)
    return before !== undefined && by !== undefined &&
      Execution.judgingAt(by, before.at).accounts.digest !== Execution.judgingAt(now, entry.at).accounts.digest
  }
}

/**
 * Whether an entry was told of another account when other addresses were known. A list that has only grown moves none from account to
 * account; one that did would settle breaks.
 */
const isMoved = (
  known: ReadonlyArray<EntryStates.EntryState>,
  executions: ReadonlyArray<Execution.Execution>,
  { addresses }: Execution.Body
) => {
  const stood = new Map(known.map((state) => [Subjects.keyOf(state), state]))
  const others = new Set(
    executions.filter(({ body }) => body.addresses.digest !== addresses.digest).map(({ body }) => body.number)
  )
  return (entry: EntryStates.EntryState): boolean => {
    const before = stood.get(Subjects.keyOf(entry))
    return before?.account !== undefined && before.account !== entry.account && others.has(before.execution)
  }
}

const isSame = (a: Chain.Head, b: Chain.Head): boolean => a.number === b.number && a.id === b.id

type Judging = Omit<Execution.Judging, "outcomes" | "summary">

const judgingOf = ({ run, summary: { accounts, counts, mayChange, range, unread } }: Ran): Judging => ({
  run: run.id,
  range,
  accounts: Struct.pick(accounts, ["master", "count", "complete", "digest"]),
  badRecords: counts.find(({ code }) => code === "bad-record")?.outcomes ?? 0,
  unread: Timeline.union(range === null ? unread : Timeline.clip(unread, range)).map(({ from, to }) => ({ from, to })),
  ...(mayChange === true ? { mayChange } : {})
})

const headOf = ({ summary }: Ran): Chain.Head => summary.decisions?.head ?? Chain.GENESIS

const assetsOf = (states: ReadonlyArray<EntryStates.EntryState>): ReadonlyArray<string> =>
  states.filter(({ state }) => BookState.isWaiting(state)).map(({ asset }) => asset)

/** What is written of an execution, but for what the end of the ledger and the database add. */
interface Content
  extends Judging, Pick<Execution.Body, "addresses" | "asOf" | "at" | "by" | "identity" | "kind" | "policy">
{
  readonly carried: ReadonlyArray<Judging>
}

/** Where entries stood before an execution, and what its runs say of them. */
interface Stood {
  /** All that waited, of any time. */
  readonly waiting: ReadonlyArray<EntryStates.EntryState>
  /** All that ever waited, of which the runs may say something. */
  readonly known: ReadonlyArray<EntryStates.EntryState>
  readonly judged: Judged.Judged
}

/** The outcomes in which entries that moved wait, or waited. */
const outcomesOf = (known: ReadonlyArray<EntryStates.EntryState>, moves: Moves.Moves): ReadonlyArray<string> => {
  const moved = new Set(moves.states.map(Subjects.keyOf))
  const stood = known.filter((entry) => moved.has(Subjects.keyOf(entry)))
  return Array.from(
    new Set([...stood, ...moves.states].filter(({ state }) => BookState.isWaiting(state)).map(({ outcome }) => outcome))
  )
}

export const make = (database: Database.Service, derived: Derived.Derived) => {
  const { error, sql } = database
  const ledger = Ledger.make(database)
  const states = EntryStates.make(sql)
  const runs = Lookup.make(database)
  const standings = Standing.make(database)
  const telling = Telling.make(database)

  const refuse = (reason: BookError.Reason) => Effect.fail(new BookError.BookError({ reason }))

  /** Fails where the ledger went on since the run looked at it: the run knows neither what was decided then nor what was read. */
  const followed = Effect.fnUntraced(function*(head: Chain.Head) {
    const found = yield* ledger.sound
    return isSame(found.head, head) ? found : yield* refuse(new BookError.LedgerMoved({ by: found.head.number }))
  })

  /** Gives the ledger, where it has an execution of this job already. */
  const doneBy = (job: string | undefined) =>
    Effect.map(
      job === undefined ? Effect.undefined : ledger.sound,
      (found) => {
        const execution = found?.executions.find(({ body }) => body.job === job)
        return found === undefined || execution === undefined ? undefined : { execution, ledger: found }
      }
    )

  const proven = Effect.fnUntraced(function*<J extends Judging>(judging: J) {
    yield* runs.whole(judging.run)
    const run = { id: judging.run }
    const outcomes = yield* RunDigest.of(sql, run)
    const summary = yield* Effect.fromOption(yield* SummaryDigest.of(sql, run), () => runs.damaged(judging.run))
    return Object.assign({}, judging, { outcomes, summary })
  })

  const close = Effect.fnUntraced(function*(
    { carried, ...content }: Content,
    head: Chain.Head,
    { judged, known, waiting }: Stood,
    { carried: due, declare = false, job, mayBook, notify, policy, prices, standing }: Options & {
      readonly policy: Policy.Resolved
    }
  ) {
    const done = yield* doneBy(job)
    if (done !== undefined) return done
    if (mayBook !== undefined && !(yield* mayBook)) return yield* refuse(new BookError.Withdrawn())
    const found = yield* followed(head)
    const { decisions, executions } = found
    const isCarried = due !== undefined
    const others = yield* Effect.forEach(carried, proven)
    const moves = Moves.make(head.number + 1, known, judged)
    const assets = new Set([...assetsOf(waiting), ...assetsOf(moves.states)])
    const row = Chain.next(head, {
      ...yield* proven(content),
      lines: PolicyLines.digest(PolicyLines.make(policy, decisions)),
      ...(prices === undefined ? {} : { prices: PriceList.kept(prices, assets) }),
      ...(others.length === 0 ? {} : { carried: others }),
      ...(job === undefined ? {} : { job })
    })
    const body = Option.getOrThrow(Ledger.decodeExecution(row))

    const last = executions.at(-1)?.body
    if (last !== undefined && !declare) {
      const of = otherwise(content, last) ??
        (moves.changes.some(leaves(known, executions, body)) ? "accounts" : undefined) ??
        (moves.changes.some(isMoved(known, executions, body)) ? "addresses" : undefined)
      if (of !== undefined) return yield* refuse(new BookError.OtherQuestion({ execution: last.number, of }))
    }
    yield* ledger.append([row])
    yield* states.write(moves.states)
    yield* states.tell(moves.changes)
    if (standing !== undefined) yield* standings.keep(standing, isCarried)
    const execution: Execution.Execution = { id: row.id, body }
    yield* derived.executed(outcomesOf(known, moves), { decisions, executions: [...executions, execution] })
    if (notify !== undefined) {
      yield* Effect.mapError(telling.ofExecution(execution, notify, content.at), error)
    }
    return {
      execution,
      ledger: { ...found, head: { number: body.number, id: row.id }, executions: [...executions, execution] }
    }
  })

  /** Tells what a run says of the entries that the books care for, and which of these they know. */
  const judge = (waiting: ReadonlyArray<EntryStates.EntryState>) =>
    Effect.fnUntraced(function*({ run, summary }: Ran) {
      const known = yield* Effect.mapError(states.within(summary.range), error)
      const keys = new Set(known.map(Subjects.keyOf))
      const far = Judged.inClasses(waiting)
      return { known, judged: yield* Judged.of((unless) => runs.outcomes(run, unless), summary, keys, far) }
    })

  return Effect.fnUntraced(function*(
    run: Run.Run,
    summary: Report.Summary,
    options: Options
  ): Effect.fn.Return<Execution.Execution, ArchiveError.OutcomesError | BookError.BookError> {
    const { asOf } = summary
    const done = yield* doneBy(options.job)
    if (done !== undefined) return done.execution
    const problem = options.prices && PriceList.problem(options.prices)
    if (problem !== undefined) return yield* refuse(new BookError.InvalidPrices({ problem }))
    if (asOf === null) return yield* refuse(new BookError.NothingRead())
    const main: Ran = { run, summary }
    const { carried = [] } = options
    const head = headOf(main)
    const other = carried.map(headOf).find((followed) => !isSame(followed, head))
    if (other !== undefined) return yield* refuse(new BookError.LedgerMoved({ by: other.number }))
    const content: Content = {
      kind: "execution",
      at: Math.floor(yield* Clock.currentTimeMillis),
      ...options.author,
      ...judgingOf(main),
      asOf,
      policy: policyOf(summary.policy),
      addresses: summary.addresses,
      carried: carried.map(judgingOf)
    }
    yield* followed(head)
    const waiting = yield* Effect.mapError(states.waiting, error)
    const told = yield* Effect.forEach([main, ...carried], judge(waiting))
    const judged = Judged.join(told.map(({ judged }) => judged))
    const inRanges = told.flatMap(({ known }) => known)
    const keys = new Set(inRanges.map(Subjects.keyOf))
    const others = Array.from(judged.judged.values()).filter((one) => !keys.has(Subjects.keyOf(one)))
    const known = [...inRanges, ...yield* Effect.mapError(states.of(others), error)]
    const stood = { waiting, known, judged }
    const written = yield* sql.withTransaction(close(content, head, stood, { ...options, policy: summary.policy }))
      .pipe(
        Effect.mapError((failure) => failure._tag === "SqlError" ? error(failure) : failure)
      )
    if (options.notify !== undefined) {
      yield* telling.ofCloses(written.execution, written.ledger, options.notify, content.at)
    }
    return written.execution
  })
}
