/** Archives: histories that were read again and again while statuses changed, records vanished and contents contradicted. */
import * as Archive from "@tallystick/archive/Archive"
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import type * as UniversalTransfer from "@tallystick/core/UniversalTransfer"
import * as Policy from "@tallystick/reconcile/Policy"
import * as History from "@tallystick/sandbox/History"
import * as Truth from "@tallystick/sandbox/Truth"
import * as Effect from "effect/Effect"
import * as Book from "../Book.ts"
import * as Kind from "../Kind.ts"
import * as Random from "../Random.ts"
import * as Still from "../Still.ts"
import type { Failure, Subject } from "../Subject.ts"

/** When the last record came, Unix ms. */
const END = Book.T0
const BEGIN = END - 3 * Book.DAY

/** One reading of everything up to a time. */
interface Reading {
  readonly at: number
  readonly deposits: ReadonlyArray<SubAccountDeposit.SubAccountDeposit>
  readonly transfers: ReadonlyArray<UniversalTransfer.UniversalTransfer>
}

/** What a record says in an early reading, if it is shown at all. */
const earlier = <Record extends { readonly amount: string; readonly status: unknown }>(
  random: Random.Random,
  record: Record,
  status: Record["status"]
): ReadonlyArray<Record> => {
  if (random.chance(0.7)) return [record]
  if (random.chance(0.6)) return [{ ...record, status }]
  return random.chance(0.5) ? [] : [{ ...record, amount: `${record.amount}1` }]
}

const readings = (random: Random.Random, { deposits, transfers }: History.History): ReadonlyArray<Reading> => {
  const times = [END - 30 * Book.HOUR, END - 5 * Book.HOUR, END + 10 * Book.MINUTE, END + 2 * Book.DAY]
  return times.map((at, index) => {
    const last = index === times.length - 1
    const shownDeposits = deposits.filter(({ insertTime }) => insertTime < at)
    const shownTransfers = transfers.filter(({ timestamp }) => timestamp < at)
    return {
      at,
      deposits: last
        ? shownDeposits.filter(() => random.chance(0.98))
        : shownDeposits.flatMap((one) => earlier(random, one, random.pick([4, 7, 1]))),
      transfers: last
        ? shownTransfers.filter(() => random.chance(0.98))
        : shownTransfers.flatMap((one) => earlier(random, one, random.pick(["WAIT", "FAILED"])))
    }
  })
}

const query = (fromAccount: string): Coverage.TransferQuery => ({
  fromAccount,
  fromAccountType: "SPOT",
  toAccountType: "SPOT"
})

const keep = Effect.fnUntraced(function*(
  readings: ReadonlyArray<Reading>,
  accounts: ReadonlyArray<string>,
  holes: ReadonlySet<string>
) {
  const archive = yield* Archive.Archive
  for (const [index, { at, deposits, transfers }] of readings.entries()) {
    const interval = { from: BEGIN, to: Math.min(at, END) }
    const covered = { ...interval, readAt: at, state: "complete" } as const
    yield* archive.deposits.saveSlice({
      ...interval,
      records: deposits,
      bad: [],
      coverage: holes.has(`deposits ${index}`) ? [] : [{ ...covered, operation: "deposits" }]
    })
    for (const account of accounts) {
      yield* archive.transfers.saveSlice({
        ...interval,
        records: transfers.filter(({ fromAccount }) => fromAccount === account),
        bad: [],
        coverage: holes.has(`${account} ${index}`)
          ? []
          : [{ ...covered, operation: "transfers", query: query(account) }]
      }, query(account))
    }
  }
})

const subject = (seed: number): Subject => {
  const random = Random.make(Random.seedOf("archive", seed))
  const history = History.generate({
    seed,
    to: END,
    deposits: random.int(40, 120),
    subAccounts: random.int(2, 4),
    kinds: Truth.Kind.literals,
    breaks: random.int(5, 20),
    sweeps: 3,
    splits: 3
  })
  const read = readings(random, history)
  const holes = new Set(
    random.chance(0.4)
      ? [random.pick(["deposits 3", "deposits 2", ...history.subAccounts.map((name) => `${name} 3`)])]
      : []
  )
  const accounts = { list: history.subAccounts, complete: true }
  const policy: Policy.Policy = {
    lagFrom: random.pick(["seen", "settled"]),
    late: random.pick(["2 hours", "23 hours"])
  }
  const options: ArchiveReconciliation.Options = {
    policy: Effect.runSync(Policy.make(policy)),
    accounts,
    range: random.pick([{ from: BEGIN, to: END }, { from: END - 2 * Book.DAY, to: END - Book.DAY }]),
    ...(random.chance(0.5) ? { addresses: history.addressBook } : {})
  }
  const run = <A, E extends Failure>(effect: Effect.Effect<A, E, Archive.Archive>): Effect.Effect<A, Failure> =>
    Effect.andThen(keep(read, history.subAccounts, holes), effect).pipe(
      Effect.provide(Archive.Archive.layerMemory()),
      Still.at(END + 3 * Book.DAY)
    )
  const events = (batch: number) => Still.collected(ArchiveReconciliation.events({ ...options, batch }), run)
  return {
    accounts,
    input: { policy, range: options.range, readings: read },
    report: run(ArchiveReconciliation.run(options)),
    streams: { stream: events(1000), parts: events(7) }
  }
}

export const kept: Kind.Kind = {
  name: "archive",
  seeds: Kind.upTo(24),
  subject: (seed) => Effect.sync(() => subject(seed))
}
