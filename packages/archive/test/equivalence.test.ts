/** What is reconciled from the archive is what one run over everything says. */
import { assert, describe, it } from "@effect/vitest"
import type * as BadRecord from "@tallystick/core/BadRecord"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import type * as UniversalTransfer from "@tallystick/core/UniversalTransfer"
import * as AddressBook from "@tallystick/reconcile/AddressBook"
import * as DepositEntry from "@tallystick/reconcile/DepositEntry"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import * as TransferEntry from "@tallystick/reconcile/TransferEntry"
import * as History from "@tallystick/sandbox/History"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as Archive from "../src/Archive.ts"
import * as ArchiveReconciliation from "../src/ArchiveReconciliation.ts"
import * as Holes from "../src/internal/source/Holes.ts"
import * as LostDeposits from "../src/internal/source/LostDeposits.ts"
import { databases } from "./support/databases.ts"
import * as Seeded from "./support/Seeded.ts"

const HOUR = 3_600_000
const TO = 1_800_000_000_000
const SPAN = 30 * HOUR
const FROM = TO - SPAN
const READ_AT = TO + HOUR

const policy = Policy.defaults

interface Books {
  readonly deposits: ReadonlyArray<SubAccountDeposit.SubAccountDeposit>
  readonly transfers: ReadonlyArray<UniversalTransfer.UniversalTransfer>
  readonly accounts: ReadonlyArray<string>
  readonly addresses: AddressBook.AddressBook
  readonly bad: ReadonlyArray<{ readonly at: number; readonly record: BadRecord.BadRecord }>
  readonly coverage: ReadonlyArray<Coverage.Coverage>
}

const query = (fromAccount: string): Coverage.TransferQuery => ({
  fromAccount,
  fromAccountType: "SPOT",
  toAccountType: "SPOT"
})

/** What was read in pieces of at most three hours: mostly complete, here and there with a gap, or not at all. */
const readings = (
  random: Seeded.Seeded,
  scope: Pick<Coverage.Coverage, "operation" | "query">
): ReadonlyArray<Coverage.Coverage> => {
  const pieces: Array<Coverage.Coverage> = []
  for (let from = FROM; from < TO;) {
    const to = Math.min(TO, from + random.int(1, 3 * HOUR))
    const piece = { ...scope, from, to, readAt: READ_AT }
    if (random.chance(0.97)) pieces.push({ ...piece, state: "complete" })
    else if (random.chance(0.5)) {
      pieces.push({ ...piece, state: "incomplete", gap: { code: "failed-page", detail: "page 3 did not come" } })
    }
    from = to
  }
  return pieces
}

/** A history of the sandbox, with true twins, records of one millisecond, records that do not read, and gaps. */
const books = (seed: number): Books => {
  const random = Seeded.make(seed)
  const history = History.generate({
    seed,
    to: TO,
    span: SPAN - 2 * HOUR,
    deposits: random.int(150, 400),
    subAccounts: random.int(3, 8),
    crowd: { share: random.pick([0, 0.1, 0.4]), unswept: 0.02 },
    sweeps: 6,
    splits: 6
  })
  const deposits = history.deposits.flatMap((deposit, index) => {
    const before = history.deposits[index - 1]
    if (random.chance(0.03)) return [deposit, { ...deposit, status: random.pick([4, 5, 7]) }, deposit]
    if (before !== undefined && random.chance(0.03)) return [{ ...deposit, insertTime: before.insertTime }]
    return random.chance(0.02) ? [deposit, { ...deposit, amount: `${deposit.amount}1` }] : [deposit]
  })
  return {
    deposits,
    transfers: history.transfers,
    accounts: history.subAccounts,
    addresses: random.chance(0.5) ? history.addressBook : [],
    bad: Array.from({ length: random.int(0, 3) }, (_, index) => ({
      at: FROM + 5 * HOUR + index,
      record: {
        side: "deposit",
        source: `page ${index}, record 1`,
        path: "amount",
        reason: "wanted an amount",
        raw: `{"amount":"${index}x","insertTime":${FROM + 5 * HOUR + index}}`
      }
    })),
    coverage: [
      ...readings(random, { operation: "deposits" }),
      ...history.subAccounts.flatMap((account) => readings(random, { operation: "transfers", query: query(account) }))
    ]
  }
}

const within = ({ from, to }: Coverage.Interval) => (at: number): boolean => from <= at && at < to

/** What lies in no reading came otherwise: from a page whose slice was never settled. */
const keep = Effect.fnUntraced(function*({ bad, coverage, deposits, transfers }: Books) {
  const archive = yield* Archive.Archive
  yield* archive.deposits.savePage({ records: deposits, bad: bad.map(({ record }) => record), readAt: READ_AT })
  yield* archive.transfers.savePage({ records: transfers, bad: [], readAt: READ_AT })
  for (const piece of coverage) {
    const { from, operation, query, to } = piece
    const isInside = within({ from, to })
    if (operation === "deposits") {
      const records = deposits.filter(({ insertTime }) => isInside(insertTime))
      const unread = bad.filter(({ at }) => isInside(at)).map(({ record }) => record)
      yield* archive.deposits.saveSlice({ from, to, records, bad: unread, coverage: [piece] })
    } else {
      const records = transfers.filter(({ fromAccount, timestamp }) =>
        isInside(timestamp) && fromAccount === query?.fromAccount
      )
      yield* archive.transfers.saveSlice({ from, to, records, bad: [], coverage: [piece] }, query)
    }
  }
})

const everything = { from: FROM, to: TO }

/** What lies between readings, or behind one while others go on, is a hole in files too. */
const sided = ({ accounts, coverage }: Books, operation: Coverage.Coverage["operation"]) => {
  const mine = coverage.filter((one) => one.operation === operation)
  return Holes.named({
    scopes: operation === "deposits" ? [{ operation }] : accounts.map((name) => ({ operation, query: query(name) })),
    since: Math.min(...mine.map(({ from }) => from)),
    until: Math.max(...coverage.map(({ to }) => to)),
    ofAll: false
  })({ ...everything, records: [], bad: [], coverage: mine }).coverage
}

const isComplete = ({ operation, state }: Coverage.Coverage): boolean =>
  operation === "deposits" && state === "complete"

/** One run over all of it, from memory. */
const expected = Effect.fnUntraced(function*(books: Books, range: Coverage.Interval) {
  const accounts = { list: books.accounts, complete: true }
  const account = AddressBook.lookup(books.addresses)
  const slice = { ...everything, bad: [] }
  const begin = Math.min(...books.coverage.filter(isComplete).map(({ from }) => from))
  const state = { begin, lost: FROM, disputed: FROM, unread: FROM }
  // Behind time whose deposits were not read one of them may have settled.
  const [, deposits] = LostDeposits.extended(state, {
    ...slice,
    records: yield* DepositEntry.fromDeposits(books.deposits, { policy, account }),
    bad: books.bad.map(({ record }) => record),
    coverage: sided(books, "deposits")
  })
  return yield* Reconciliation.reconcile(
    Stream.fromIterable(deposits),
    Stream.make({
      ...slice,
      records: books.transfers.map((transfer) => TransferEntry.fromTransfer(transfer, { policy, accounts })),
      coverage: sided(books, "transfers")
    }),
    { policy, accounts, addresses: books.addresses, range }
  )
})

const options = (books: Books, range: Coverage.Interval, batch: number): ArchiveReconciliation.Options => ({
  accounts: { list: books.accounts, complete: true },
  addresses: books.addresses,
  range,
  batch
})

const byId = (outcomes: ReadonlyArray<Outcome.Outcome>) => outcomes.toSorted((a, b) => (a.id < b.id ? -1 : 1))

const streamed = Effect.fnUntraced(function*(options: ArchiveReconciliation.Options) {
  const events = yield* Stream.runCollect(ArchiveReconciliation.events(options))
  const last = events.at(-1)
  const outcomes = events.flatMap((event) => (event._tag === "Outcome" ? [event.outcome] : []))
  return { outcomes, summary: last?._tag === "Summary" ? last.summary : undefined }
})

const check = Effect.fnUntraced(function*(seed: number) {
  const history = books(seed)
  const random = Seeded.make(-seed)
  yield* keep(history)
  const { outcomes, ...summary } = yield* expected(history, everything)
  const one = yield* ArchiveReconciliation.run(options(history, everything, random.int(1, 40)))
  assert.deepStrictEqual(one, { ...summary, outcomes }, `seed ${seed}`)
  for (const batch of [1, random.int(2, 60), 100_000]) {
    const found = yield* streamed(options(history, everything, batch))
    assert.deepStrictEqual(byId(found.outcomes), byId(outcomes), `seed ${seed}, ${batch} at a time`)
    assert.deepStrictEqual(found.summary, summary, `seed ${seed}, ${batch} at a time`)
  }
  return outcomes
})

/** Without the candidates that lie farther away than the policy looks: a range in the middle does not read those. */
const near = (outcome: Outcome.Outcome | undefined) =>
  outcome === undefined ? undefined : {
    ...outcome,
    candidates: outcome.candidates.filter(({ reason }) => !reason.endsWith("outside the policy's lateness"))
  }

/** A range in the middle sees as far as the policy looks: what it calls final is what one run over everything says. */
const checkPart = Effect.fnUntraced(function*(seed: number) {
  const history = books(seed)
  const random = Seeded.make(-seed)
  const from = FROM + random.int(0, SPAN)
  const range = { from, to: from + random.int(1, 3 * HOUR) }
  yield* keep(history)
  const whole = new Map((yield* expected(history, range)).outcomes.map((outcome) => [outcome.id, outcome]))
  const part = yield* ArchiveReconciliation.run(options(history, range, random.int(1, 100)))
  const final = part.outcomes.filter(({ final }) => final)
  for (const outcome of final) assert.deepStrictEqual(near(outcome), near(whole.get(outcome.id)), `seed ${seed}`)
  return final.length
})

const each = <A, E, R>(count: number, check: (seed: number) => Effect.Effect<A, E, R>) =>
  Effect.forEach(
    Array.from({ length: Math.max(count, Math.ceil(Seeded.cases(0) / 100)) }, (_, index) => index + 1),
    check
  )

describe.each(databases)("reconciling from $name", ({ layer, name }) => {
  const kept = (seed: number) => Effect.scoped(Effect.provide(check(seed), Layer.provide(Archive.Archive.layer, layer)))
  const part = (seed: number) =>
    Effect.scoped(Effect.provide(checkPart(seed), Layer.provide(Archive.Archive.layer, layer)))
  const count = name === "SQLite" ? 6 : 2

  it.effect("in any batches gives the report of one run over the whole range", () =>
    Effect.gen(function*() {
      const outcomes = (yield* each(count, kept)).flat()
      const codes = new Set<string>(outcomes.map(({ code }) => code))
      for (const code of ["exact", "missing-transfer", "coverage-gap", "duplicate-suspect", "bad-record"]) {
        assert.isTrue(codes.has(code), code)
      }
      assert.isTrue(outcomes.some(({ deposits }) => deposits.some(({ id }) => id.endsWith("#3"))))
    }))

  it.effect("gives a part of the range the final outcomes of the whole", () =>
    Effect.gen(function*() {
      const finals = yield* each(2 * count, part)
      assert.isAbove(finals.reduce((sum, found) => sum + found, 0), count)
    }))
})
