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
import type * as Execution from "../../Execution.ts"
import type * as Run from "../../Run.ts"
import * as Chain from "../ledger/Chain.ts"
import * as Ledger from "../ledger/Ledger.ts"
import * as Subjects from "../ledger/Subjects.ts"
import * as Lookup from "../runs/Lookup.ts"
import type * as Database from "../sql/Database.ts"
import * as EntryStates from "./EntryStates.ts"
import * as Judged from "./Judged.ts"
import * as Moves from "./Moves.ts"
import * as RunDigest from "./RunDigest.ts"

export interface Options {
  /** Who brings the books forward. */
  readonly author: Decision.Author
  /**
   * From this run on the books follow its policy, its accounts and its addresses, also where the last execution followed others.
   * Default: false.
   */
  readonly declare?: boolean
}

const encodePolicy = Schema.encodeSync(Schema.fromJsonString(Policy.Resolved))

/** Decisions change what a policy says of single entries from day to day; the rest is how a desk reconciles. */
const policyOf = (policy: Policy.Resolved): string =>
  createHash("sha256").update(encodePolicy({ ...policy, links: [], forbid: [], exclude: [] })).digest("hex")

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

/** Whether an entry that waited is of no flow in a run about other accounts than those of the execution that judged it. */
const leaves = (
  known: ReadonlyArray<EntryStates.EntryState>,
  executions: ReadonlyArray<Execution.Execution>,
  { accounts }: Question
) => {
  const waited = new Map(
    known.filter(({ state }) => BookState.isWaiting(state)).map((state) => [Subjects.keyOf(state), state.execution])
  )
  const isOfOthers = new Map(executions.map(({ body }) => [body.number, body.accounts.digest !== accounts.digest]))
  return (now: EntryStates.EntryState): boolean =>
    now.code === "out-of-flow" && isOfOthers.get(waited.get(Subjects.keyOf(now)) ?? 0) === true
}

const isSame = (a: Chain.Head, b: Chain.Head): boolean => a.number === b.number && a.id === b.id

export const make = (database: Database.Service) => {
  const { error, sql } = database
  const ledger = Ledger.make(database)
  const states = EntryStates.make(sql)
  const runs = Lookup.make(database)

  const refuse = (reason: BookError.Reason) => Effect.fail(new BookError.BookError({ reason }))

  type Content = Omit<Execution.Body, "number" | "outcomes" | "previous">

  /** Fails where the ledger went on since the run looked at it: the run knows neither what was decided then nor what was read. */
  const followed = Effect.fnUntraced(function*(head: Chain.Head) {
    const found = yield* ledger.sound
    return isSame(found.head, head) ? found : yield* refuse(new BookError.LedgerMoved({ by: found.head.number }))
  })

  const close = Effect.fnUntraced(function*(
    content: Content,
    head: Chain.Head,
    known: ReadonlyArray<EntryStates.EntryState>,
    judged: Judged.Judged,
    declare: boolean
  ) {
    const { executions } = yield* followed(head)
    yield* runs.whole(content.run)
    const row = Chain.next(head, { ...content, outcomes: yield* RunDigest.of(sql, { id: content.run }) })
    const body = Option.getOrThrow(Ledger.decodeExecution(row))
    const moves = Moves.make(body.number, known, judged)

    const last = executions.at(-1)?.body
    if (last !== undefined && !declare) {
      const of = otherwise(content, last) ??
        (moves.changes.some(leaves(known, executions, content)) ? "accounts" : undefined)
      if (of !== undefined) return yield* refuse(new BookError.OtherQuestion({ execution: last.number, of }))
    }
    yield* ledger.append([row])
    yield* states.write(moves.states)
    yield* states.tell(moves.changes)
    return { id: row.id, body } satisfies Execution.Execution
  })

  return Effect.fnUntraced(function*(
    run: Run.Run,
    summary: Report.Summary,
    { author, declare = false }: Options
  ): Effect.fn.Return<Execution.Execution, ArchiveError.OutcomesError | BookError.BookError> {
    const { asOf, counts, range, unread } = summary
    if (asOf === null) return yield* refuse(new BookError.NothingRead())
    const head = summary.decisions?.head ?? Chain.GENESIS
    const content: Content = {
      kind: "execution",
      at: Math.floor(yield* Clock.currentTimeMillis),
      ...author,
      run: run.id,
      range,
      asOf,
      policy: policyOf(summary.policy),
      accounts: Struct.pick(summary.accounts, ["master", "count", "complete", "digest"]),
      addresses: summary.addresses,
      badRecords: counts.find(({ code }) => code === "bad-record")?.outcomes ?? 0,
      unread: Timeline.union(range === null ? unread : Timeline.clip(unread, range)).map(({ from, to }) => ({
        from,
        to
      }))
    }
    yield* followed(head)
    const inRange = yield* Effect.mapError(states.within(range), error)
    const judged = yield* Judged.of(
      (unless) => runs.outcomes(run, unless),
      range,
      new Set(inRange.map(Subjects.keyOf))
    )
    const keys = new Set(inRange.map(Subjects.keyOf))
    const others = Array.from(judged.judged.values()).filter((one) => !keys.has(Subjects.keyOf(one)))
    const known = [...inRange, ...yield* Effect.mapError(states.of(others), error)]
    return yield* sql.withTransaction(close(content, head, known, judged, declare)).pipe(
      Effect.mapError((failure) => failure._tag === "SqlError" ? error(failure) : failure)
    )
  })
}
