/** Records that only a file tells of: where the exchange proved that it shows everything, it contradicts the file. */
import { assert, describe, it } from "@effect/vitest"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Archive from "../src/Archive.ts"
import * as ArchiveReconciliation from "../src/ArchiveReconciliation.ts"
import { databases } from "./support/databases.ts"
import { deposit, NOW, transfer } from "./support/records.ts"

const HOUR = 3_600_000
const DAY = 24 * HOUR
const time = { from: NOW - 10 * DAY, to: NOW + 10 * DAY }
const AFTER = NOW + 11 * DAY
const query = { fromAccount: "a@x", fromAccountType: "SPOT", toAccountType: "SPOT" }

const part = (operation: Coverage.Coverage["operation"], readAt: number): Coverage.Coverage => ({
  operation,
  ...(operation === "transfers" ? { query } : {}),
  ...time,
  readAt,
  state: "complete"
})

const shown = [deposit({ txId: "shown" })]
const moved = [transfer({ tranId: "shown", timestamp: NOW + 60_000 })]

/** The service shows one pair, and everything of the time and of the account. */
const sync = (readAt = AFTER) =>
  Archive.Archive.use((archive) =>
    Effect.all([
      archive.deposits.saveSlice({ ...time, records: shown, bad: [], coverage: [part("deposits", readAt)] }),
      archive.transfers.saveSlice({ ...time, records: moved, bad: [], coverage: [part("transfers", readAt)] }, query)
    ])
  )

const report = Effect.map(
  ArchiveReconciliation.run({
    range: { from: NOW - DAY, to: NOW + HOUR },
    accounts: { list: ["a@x"], complete: true }
  }),
  ({ outcomes }) =>
    outcomes.map(({ code, deposits, final, transfers }) => ({
      code,
      final,
      ids: [...deposits, ...transfers].map(({ id }) => id.slice(0, 4))
    }))
)

const finals = Effect.map(report, (outcomes) => outcomes.filter(({ final }) => final).map(({ code }) => code))

const strange = deposit({ txId: "strange", insertTime: NOW - 60_000 })

describe.each(databases)("a record that only a file tells of, in $name", ({ layer }) => {
  const archive = Layer.fresh(Layer.provideMerge(Archive.Archive.layer, layer))
  const test = <E>(name: string, body: Effect.Effect<void, E, Archive.Archive>) =>
    it.effect(name, () => Effect.provide(body, archive))

  test(
    "is the basis of nothing final where the exchange shows every deposit, and is none that it no longer shows",
    Effect.gen(function*() {
      const { deposits } = yield* Archive.Archive
      yield* sync()
      assert.deepStrictEqual(yield* finals, ["exact"])
      yield* deposits.importRecords([strange])
      assert.deepStrictEqual(yield* finals, [])
      const before = yield* report
      const [change] = yield* sync(AFTER + DAY)
      assert.strictEqual(change.vanished, 0)
      assert.deepStrictEqual(yield* report, before)
    })
  )

  test(
    "is the basis of nothing final where the exchange shows every transfer of its account",
    Effect.gen(function*() {
      const { transfers } = yield* Archive.Archive
      yield* sync()
      yield* transfers.importRecords([transfer({ tranId: "strange", timestamp: NOW + 20_000 })])
      assert.deepStrictEqual(yield* finals, [])
    })
  )

  test(
    "leaves what is not near it as final as it was",
    Effect.gen(function*() {
      const { deposits } = yield* Archive.Archive
      yield* sync()
      yield* deposits.importRecords([
        deposit({ txId: "strange", insertTime: NOW - 9 * DAY, amount: "99", coin: "ETH" })
      ])
      assert.deepStrictEqual(yield* finals, ["exact"])
    })
  )

  test(
    "is as good as any where nobody but a person vouches for its time, but not final where its account was not asked for",
    Effect.gen(function*() {
      const { transfers, vouch } = yield* Archive.Archive
      yield* sync()
      yield* transfers.importRecords([transfer({ tranId: "far", fromAccount: "b@x", timestamp: NOW + 20_000 })])
      assert.deepStrictEqual((yield* report).map(({ code, final }) => [code, final]), [["exact", true], [
        "out-of-flow",
        false
      ]])
      const early = { from: NOW - 40 * DAY, to: NOW - 30 * DAY }
      yield* transfers.importRecords([transfer({ tranId: "early", timestamp: early.from + 5 * DAY })])
      yield* vouch("transfers", early, AFTER)
      yield* vouch("deposits", early, AFTER)
      const found = yield* ArchiveReconciliation.run({
        range: { from: early.from + 2 * DAY, to: early.to - 2 * DAY },
        accounts: { list: ["a@x"], complete: true }
      })
      assert.deepStrictEqual(found.outcomes.map(({ code, final }) => [code, final]), [["missing-deposit", true]])
    })
  )

  test(
    "is one that the exchange shows once it does",
    Effect.gen(function*() {
      const { deposits } = yield* Archive.Archive
      yield* sync()
      yield* deposits.importRecords([strange])
      const records = [...shown, strange]
      yield* deposits.saveSlice({ ...time, records, bad: [], coverage: [part("deposits", AFTER + DAY)] })
      assert.isNotEmpty(yield* finals)
    })
  )
})
