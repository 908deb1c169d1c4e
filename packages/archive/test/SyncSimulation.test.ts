/** Weeks of an exchange's life in virtual time, synced now and then: what the archive claims is held against what happened. */
import { assert, describe, it } from "@effect/vitest"
import { Archive } from "@tallystick/archive/Archive"
import type * as ArchivedRecord from "@tallystick/archive/ArchivedRecord"
import * as Backup from "@tallystick/archive/Backup"
import * as Integrity from "@tallystick/archive/Integrity"
import * as Sync from "@tallystick/archive/Sync"
import { Broker } from "@tallystick/core/Broker"
import type * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import * as SubAccountDeposits from "@tallystick/core/SubAccountDeposit"
import type * as UniversalTransfer from "@tallystick/core/UniversalTransfer"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { copyFileSync, existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { temporaryFolder } from "./support/databases.ts"
import { deposit, NOW, transfer } from "./support/records.ts"

const SEEDS = Math.ceil(Number(process.env["TALLYSTICK_SEEDS"] ?? 100) / 10)
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const RETENTION = 72 * HOUR
const ACCOUNTS = ["a@x", "b@x"]

type Deposit = SubAccountDeposit.SubAccountDeposit
type Transfer = UniversalTransfer.UniversalTransfer

interface Life {
  readonly deposits: Array<Deposit>
  readonly transfers: Array<Transfer>
}

const every = { from: 0, to: Number.MAX_SAFE_INTEGER }

const all = <Record>(history: {
  readonly slices: (
    options: { readonly from: number; readonly to: number }
  ) => Stream.Stream<{ readonly records: ReadonlyArray<ArchivedRecord.ArchivedRecord<Record>> }, unknown>
}) =>
  Stream.runCollect(history.slices(every)).pipe(
    Effect.map((slices) => slices.flatMap(({ records }) => records)),
    Effect.orDie
  )

/** Some minutes to days go by, records come, some of them twins, and some get another status. */
const live = Effect.fnUntraced(function*(life: Life, number: () => number) {
  const now = yield* Clock.currentTimeMillis
  const [scale, chance] = [yield* Random.next, yield* Random.next]
  const passed =
    Math.ceil(chance < 0.25 ? scale * 150 * HOUR : chance < 0.5 ? scale * 10 * HOUR : scale * 20 * MINUTE) +
    1
  const count = yield* Random.nextIntBetween(0, 30)
  for (let i = 0; i < count; i++) {
    const at = now + Math.floor((yield* Random.next) * passed)
    const n = number()
    const pending = (yield* Random.next) < 0.3
    if ((yield* Random.next) < 0.5) {
      const one = deposit({ txId: `t${n}`, insertTime: at, status: pending ? 4 : 5 })
      life.deposits.push(one)
      if ((yield* Random.next) < 0.1) life.deposits.push({ ...one })
    } else {
      const fromAccount = ACCOUNTS[n % 2] ?? ""
      life.transfers.push(
        transfer({ tranId: String(n), fromAccount, timestamp: at, status: pending ? "WAIT" : "SUCCESS" })
      )
    }
  }
  yield* TestClock.adjust(passed)
  for (const [index, one] of life.deposits.entries()) {
    if (one.status === 4 && (yield* Random.next) < 0.3) {
      life.deposits[index] = { ...one, status: (yield* Random.next) < 0.8 ? 5 : 7 }
    }
  }
  for (const [index, one] of life.transfers.entries()) {
    if (one.status === "WAIT" && (yield* Random.next) < 0.3) life.transfers[index] = { ...one, status: "SUCCESS" }
  }
})

const ids = (deposits: ReadonlyArray<Deposit>): ReadonlyArray<string> =>
  deposits.map(SubAccountDeposits.identity).toSorted()

/** Whatever is claimed to be complete holds all that happened in that time. */
const judge = Effect.fnUntraced(function*(life: Life, synced: number) {
  const archive = yield* Archive
  const deposits = (yield* all(archive.deposits)).map(({ record }) => record)
  const transfers = (yield* all(archive.transfers)).map(({ record }) => record)
  let covered = 0
  for (const { from, operation, query, state, to } of yield* archive.coverage()) {
    if (state !== "complete") continue
    covered += to - from
    if (operation === "deposits") {
      const within = (one: Deposit) => one.insertTime >= from && one.insertTime < to
      assert.deepStrictEqual(ids(deposits.filter(within)), ids(life.deposits.filter(within)))
    } else {
      const within = (one: Transfer) =>
        one.timestamp >= from && one.timestamp < to && one.fromAccount === query?.fromAccount
      const [kept, true_] = [transfers.filter(within), life.transfers.filter(within)].map((list) =>
        list.map(({ tranId }) => tranId).toSorted()
      )
      assert.deepStrictEqual(kept, true_)
    }
  }
  assert.strictEqual(new Set(transfers.map(({ tranId }) => tranId)).size, transfers.length)
  /** What can still be asked for has its present status, however long ago it came. */
  for (const one of life.transfers) {
    const kept = transfers.find(({ tranId }) => tranId === one.tranId)
    if (kept !== undefined && one.timestamp > synced - RETENTION) assert.strictEqual(kept.status, one.status)
  }
  const present = life.deposits.filter(({ insertTime }) =>
    insertTime > synced - RETENTION + 5 * MINUTE && insertTime < synced
  )
  const kept = deposits.filter(({ insertTime }) => insertTime > synced - RETENTION + 5 * MINUTE)
  const told = (list: ReadonlyArray<Deposit>) => list.map(({ status, txId }) => `${txId} ${status}`).toSorted()
  assert.deepStrictEqual(told(kept), told(present))
  return covered
})

/** Somebody edits a row, or one is lost. How many rows were hit. */
const hurt = (file: string, number: number): number => {
  const db = new DatabaseSync(file)
  const [table = "deposits", column = "amount"] =
    ([["deposits", "amount"], ["transfers", "from_account"], ["transfers", "at"]] as const)[
      number % 3
    ] ?? []
  const one =
    `(at, id) = (SELECT at, id FROM ${table} ORDER BY at, id LIMIT 1 OFFSET (SELECT ${number} % MAX(COUNT(*), 1) FROM ${table}))`
  const value = column === "at" ? "at + 60000" : "'77'"
  const { changes } = db.prepare(
    number % 2 === 0 ? `DELETE FROM ${table} WHERE ${one}` : `UPDATE ${table} SET ${column} = ${value} WHERE ${one}`
  ).run()
  db.close()
  return Number(changes)
}

/** Whatever is given as complete holds all that happened in that time, and nothing else. How many parts are named as damaged. */
const judgeSlices = Effect.fnUntraced(function*(life: Life) {
  const archive = yield* Archive
  let damaged = 0
  for (const { coverage, records } of yield* Effect.orDie(Stream.runCollect(archive.deposits.slices(every)))) {
    for (const { from, gap, state, to } of coverage) {
      if (gap?.code === "damaged") damaged++
      if (state !== "complete") continue
      const within = (one: Deposit) => one.insertTime >= from && one.insertTime < to
      assert.deepStrictEqual(ids(records.map(({ record }) => record).filter(within)), ids(life.deposits.filter(within)))
    }
  }
  for (const { coverage, records } of yield* Effect.orDie(Stream.runCollect(archive.transfers.slices(every)))) {
    for (const { from, gap, query, state, to } of coverage) {
      if (gap?.code === "damaged") damaged++
      if (state !== "complete") continue
      const within = (one: Transfer) =>
        one.timestamp >= from && one.timestamp < to && one.fromAccount === query?.fromAccount
      assert.deepStrictEqual(
        records.map(({ record }) => record).filter(within).map(({ tranId }) => tranId).toSorted(),
        life.transfers.filter(within).map(({ tranId }) => tranId).toSorted()
      )
    }
  }
  return damaged
})

describe("sync, over weeks of virtual time", () => {
  it.effect("keeps everything that it claims to have, with its present status, and names what it lost", () =>
    Effect.gen(function*() {
      let [lost, covered] = [0, 0]
      for (let seed = 0; seed < SEEDS; seed++) {
        const life: Life = { deposits: [], transfers: [] }
        let n = 0
        yield* Effect.gen(function*() {
          yield* TestClock.setTime(NOW)
          for (let round = 0; round < 12; round++) {
            yield* live(life, () => n++)
            const { deadline, gaps, lost: holes, now } = yield* Sync.run({
              accounts: { list: ACCOUNTS, complete: true },
              ...(round === 0 ? { since: NOW } : {})
            })
            const kept = yield* judge(life, now)
            covered += kept
            lost += holes.reduce((sum, { from, to }) => sum + to - from, 0)
            for (const { from, gap, operation, to } of gaps) {
              const shown = ids(life.deposits.filter(({ insertTime }) => insertTime >= from && insertTime < to))
              // Where each record of a list has a twin, the list may as well have been told twice.
              const isDoubled = shown.length > 0 && shown.every((id) => shown.indexOf(id) < shown.lastIndexOf(id))
              const code = isDoubled && gap?.code === "unproven" ? gap.code : "retention"
              assert.deepStrictEqual([operation, gap?.code], ["deposits", code])
            }
            assert.isTrue(deadline > now && deadline <= now + RETENTION)
          }
        }).pipe(
          Effect.provide(Layer.merge(Archive.layerMemory(), Broker.layerMemory(life))),
          (effect) => Random.withSeed(effect, seed)
        )
      }
      assert.isTrue(covered > 0)
      assert.isTrue(lost > 0, "no round came too late: the simulation is too easy")
    }))

  it.effect("believes nothing that was damaged, or restored from a backup, and reads again what it can", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const seen = { damaged: 0, named: 0, repaired: 0, restored: 0 }
      for (let seed = 0; seed < SEEDS; seed++) {
        const life: Life = { deposits: [], transfers: [] }
        const [file, backup] = [join(folder, `${seed}.db`), join(folder, `${seed}.backup.db`)]
        let n = 0
        yield* Effect.gen(function*() {
          yield* TestClock.setTime(NOW)
          for (let round = 0; round < 10; round++) {
            yield* live(life, () => n++)
            const chance = yield* Random.next
            if (round > 0 && chance < 0.4) seen.damaged += hurt(file, yield* Random.nextIntBetween(0, 1000))
            if (chance > 0.85 && existsSync(backup)) {
              copyFileSync(backup, file)
              seen.restored++
            }
            yield* Effect.gen(function*() {
              const options = { accounts: { list: ACCOUNTS, complete: true }, ...(round === 0 ? { since: NOW } : {}) }
              seen.named += yield* judgeSlices(life)
              const { damaged, now } = yield* Sync.run(options)
              seen.repaired += damaged.length
              yield* judgeSlices(life)
              // What the service still shows is whole again.
              const recent = { from: now - RETENTION + DAY + 5 * MINUTE, to: now }
              assert.deepStrictEqual(yield* Archive.use(({ deposits }) => deposits.check(recent)), [])
              if ((yield* Random.next) < 0.3 && (yield* Effect.map(Integrity.check(), Integrity.isSound))) {
                rmSync(backup, { force: true })
                yield* Backup.make(backup)
              }
            }).pipe(Effect.provide(Layer.fresh(Archive.layerSqlite({ file }))))
          }
        }).pipe(Effect.provide(Broker.layerMemory(life)), (effect) => Random.withSeed(effect, seed))
      }
      process.stdout.write(`damaged and restored: ${JSON.stringify(seen)}\n`)
      assert.isAbove(seen.named, 0)
      assert.isAbove(seen.repaired, 0)
      assert.isAbove(seen.restored, 0)
    }).pipe(Effect.scoped))
})
