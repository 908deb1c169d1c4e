import { assert, describe, it } from "@effect/vitest"
import type * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import type * as UniversalTransfer from "@tallystick/core/UniversalTransfer"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as DepositTable from "../src/internal/records/DepositTable.ts"
import * as Merge from "../src/internal/records/Merge.ts"
import * as TransferTable from "../src/internal/records/TransferTable.ts"
import { deposit, transfer } from "./support/records.ts"
import { cases } from "./support/Seeded.ts"

type Deposit = SubAccountDeposit.SubAccountDeposit
type Transfer = UniversalTransfer.UniversalTransfer

/** Rows and their past as a database would keep them. */
class Kept<Record> {
  rows: ReadonlyArray<Merge.Stored<Record>> = []
  past: ReadonlyArray<Merge.Past<Record>> = []
  readonly rules: Merge.Rules<Record>

  constructor(rules: Merge.Rules<Record>) {
    this.rules = rules
  }

  show(records: ReadonlyArray<Record>, seenAt: number | undefined, more: Partial<Merge.Shown<Record>> = {}) {
    const plan = Merge.plan(this.rules, this.rows, this.past, { records, seenAt, imported: false, query: 1, ...more })
    const updated = new Map(plan.updated.map((row) => [row.id, row]))
    this.rows = [
      ...this.rows.map((row) => updated.get(row.id) ?? row),
      ...plan.added.map((row) => ({
        ...row,
        id: row.id === "" ? `${this.rules.identity(row.record)}#${row.ordinal}` : row.id
      }))
    ]
    this.past = [...this.past, ...plan.past]
    return { added: plan.added.length, changed: plan.changed, vanished: plan.vanished }
  }

  get contents(): ReadonlyArray<Record> {
    return this.rows.map(({ record }) => record)
  }
}

const transfers = () => new Kept<Transfer>(TransferTable.table)
const deposits = () => new Kept<Deposit>(DepositTable.table)
const unchanged = { added: 0, changed: 0, vanished: 0 }

describe("what a reading means for a transfer", () => {
  it("is a version when only the status changed, with the earlier one kept", () => {
    const kept = transfers()
    kept.show([transfer({ status: "WAIT" })], 10)
    assert.deepStrictEqual(kept.show([transfer({ status: "SUCCESS" })], 20), { added: 0, changed: 1, vanished: 0 })
    assert.deepStrictEqual(kept.rows.map(({ history, record, seenAt }) => [record.status, seenAt, history]), [[
      "SUCCESS",
      20,
      1
    ]])
    assert.deepStrictEqual(kept.past.map(({ kind, record, seenAt }) => [kind, record.status, seenAt]), [[
      "version",
      "WAIT",
      10
    ]])
  })

  it("says when what may still change was shown for the last time, and no longer once it has ended", () => {
    const kept = transfers()
    for (const seenAt of [10, 30, 20]) kept.show([transfer({ status: "WAIT" })], seenAt)
    assert.deepStrictEqual(kept.rows.map(({ lastSeenAt, seenAt }) => [seenAt, lastSeenAt]), [[10, 30]])
    kept.show([transfer({ status: "WAIT" })], 50, { imported: true })
    for (const seenAt of [40, 60]) kept.show([transfer({ status: "SUCCESS" })], seenAt)
    assert.deepStrictEqual(kept.rows.map(({ lastSeenAt, seenAt }) => [seenAt, lastSeenAt]), [[40, undefined]])
    assert.deepStrictEqual(kept.past.map(({ lastSeenAt, seenAt }) => [seenAt, lastSeenAt]), [[10, 30]])
  })

  it("keeps the later version when an older response is kept after a younger one", () => {
    const kept = transfers()
    kept.show([transfer({ status: "SUCCESS" })], 20)
    kept.show([transfer({ status: "WAIT" })], 10)
    assert.deepStrictEqual(kept.rows.map(({ record, seenAt }) => [record.status, seenAt]), [["SUCCESS", 20]])
    assert.deepStrictEqual(kept.past.map(({ record, seenAt }) => [record.status, seenAt]), [["WAIT", 10]])
    assert.deepStrictEqual(kept.show([transfer({ status: "WAIT" })], 10), unchanged)
  })

  it("takes a settled content for the later one, although the clock of another process puts it before a pending one", () => {
    const kept = transfers()
    kept.show([transfer({ status: "WAIT" })], 20)
    kept.show([transfer({ status: "SUCCESS" })], 19)
    assert.deepStrictEqual(kept.rows.map(({ record, seenAt }) => [record.status, seenAt]), [["SUCCESS", 20]])
    assert.deepStrictEqual(kept.past.map(({ record, seenAt }) => [record.status, seenAt]), [["WAIT", 20]])
    const back = transfers()
    for (const [index, status] of ["SUCCESS", "WAIT"].entries()) back.show([transfer({ status })], index)
    assert.deepStrictEqual(back.show([transfer()], 0), unchanged)
    assert.deepStrictEqual(back.contents.map(({ status }) => status), ["WAIT"])
  })

  it("tells that a status went to and fro", () => {
    const kept = transfers()
    for (const [index, status] of ["WAIT", "SUCCESS", "WAIT"].entries()) kept.show([transfer({ status })], index)
    assert.deepStrictEqual(kept.past.map(({ record }) => record.status), ["WAIT", "SUCCESS"])
    assert.deepStrictEqual(kept.contents.map(({ status }) => status), ["WAIT"])
  })

  it("is a conflict when anything else differs, once, whichever of the two is shown how often", () => {
    const [one, other] = [transfer(), transfer({ amount: "9" })]
    const kept = transfers()
    kept.show([one], 1)
    for (let time = 2; time < 9; time++) kept.show(time % 2 === 0 ? [other] : [one, other], time)
    assert.deepStrictEqual(kept.contents, [one])
    assert.deepStrictEqual(kept.past.map(({ kind, record }) => [kind, record]), [["conflict", other]])
  })

  it("is a conflict when one response shows two contents of a transfer that was not known", () => {
    const kept = transfers()
    assert.deepStrictEqual(kept.show([transfer(), transfer({ asset: "BTC" })], 1), {
      added: 1,
      changed: 1,
      vanished: 0
    })
    assert.deepStrictEqual([kept.rows.length, kept.rows[0]?.history, kept.past[0]?.kind], [1, 1, "conflict"])
  })

  it("is nothing when the amount is only written otherwise, but the spelling is kept", () => {
    const kept = transfers()
    kept.show([transfer({ amount: "1.5" })], 1)
    kept.show([transfer({ amount: "1.50" })], 2)
    assert.deepStrictEqual([kept.contents[0]?.amount, kept.past[0]?.kind], ["1.50", "version"])
  })

  it("has vanished when a complete reading of its query no longer shows it, and only then", () => {
    const kept = transfers()
    kept.show([transfer()], 10)
    assert.deepStrictEqual(kept.show([], 20), unchanged)
    assert.deepStrictEqual(kept.show([], 20, { completeAt: () => undefined }), unchanged)
    assert.deepStrictEqual(kept.show([], 20, { completeAt: () => 20, query: 2 }), unchanged)
    assert.deepStrictEqual(kept.show([], 10, { completeAt: () => 10 }), unchanged)
    assert.deepStrictEqual(kept.show([], 20, { completeAt: () => 20 }), { added: 0, changed: 0, vanished: 1 })
    assert.deepStrictEqual(kept.show([], 30, { completeAt: () => 30 }), unchanged)
    assert.deepStrictEqual(kept.rows.map(({ vanishedAt }) => vanishedAt), [20])
  })

  it("comes back, and that it was gone is remembered", () => {
    const kept = transfers()
    kept.show([transfer()], 10)
    kept.show([], 20, { completeAt: () => 20 })
    kept.show([transfer()], 15)
    assert.deepStrictEqual(kept.rows.map(({ vanishedAt }) => vanishedAt), [20])
    kept.show([transfer()], 30)
    assert.deepStrictEqual(kept.rows.map(({ vanishedAt }) => vanishedAt), [null])
    assert.deepStrictEqual(kept.past.map(({ kind, seenAt }) => [kind, seenAt]), [["vanished", 20]])
  })
})

describe("what an import means", () => {
  const imported = { imported: true, query: 0 }

  it("adds what was not known, and nothing the second time", () => {
    const kept = transfers()
    assert.strictEqual(kept.show([transfer()], undefined, imported).added, 1)
    assert.deepStrictEqual(kept.show([transfer()], undefined, imported), unchanged)
    assert.deepStrictEqual(kept.rows.map(({ imported, seenAt }) => [imported, seenAt]), [[true, transfer().timestamp]])
  })

  it("never replaces what the service said, and is kept beside that", () => {
    const kept = transfers()
    kept.show([transfer({ status: "SUCCESS" })], 20)
    kept.show([transfer({ status: "WAIT" })], undefined, imported)
    kept.show([transfer({ status: "FAILED" })], 10, imported)
    assert.deepStrictEqual(kept.contents.map(({ status }) => status), ["SUCCESS"])
    kept.show([transfer({ status: "FAILED" })], 30, imported)
    assert.deepStrictEqual(kept.contents.map(({ status }) => status), ["SUCCESS"])
    const pending = transfers()
    pending.show([transfer({ status: "WAIT" })], 20)
    pending.show([transfer({ status: "SUCCESS" })], 30, imported)
    assert.deepStrictEqual(pending.contents.map(({ status }) => status), ["WAIT"])
    assert.deepStrictEqual(pending.past.map(({ imported, record }) => [record.status, imported]), [["SUCCESS", true]])
    assert.deepStrictEqual(pending.show([transfer({ status: "SUCCESS" })], 30, imported), unchanged)
    pending.show([transfer({ status: "SUCCESS" })], 40)
    assert.deepStrictEqual(pending.rows.map(({ imported, seenAt }) => [imported, seenAt]), [[false, 40]])
  })

  it("does not hide that the service shows a settled content, although its clock puts that before a pending one", () => {
    const kept = transfers()
    kept.show([transfer({ status: "WAIT" })], 20)
    kept.show([transfer({ status: "SUCCESS" })], undefined, imported)
    kept.show([transfer({ status: "SUCCESS" })], 19)
    assert.deepStrictEqual(kept.rows.map(({ imported, record }) => [record.status, imported]), [["SUCCESS", false]])
  })

  it("is kept where it tells the present status of a time when the service showed another one", () => {
    const early = transfer().timestamp + 1
    const later = transfers()
    later.show([transfer({ status: "WAIT" })], early + 20)
    later.show([transfer()], early + 30)
    assert.strictEqual(later.show([transfer()], early + 40, imported).changed, 0)
    assert.strictEqual(later.show([transfer()], early, imported).changed, 1)
    assert.deepStrictEqual(later.show([transfer()], early, imported), unchanged)
  })

  it("replaces an earlier file where the service never showed the record", () => {
    const kept = transfers()
    kept.show([transfer({ status: "WAIT" })], 20, imported)
    kept.show([transfer({ status: "SUCCESS" })], 30, imported)
    kept.show([transfer({ status: "FAILED" })], 25, imported)
    assert.deepStrictEqual(kept.contents.map(({ status }) => status), ["SUCCESS"])
  })

  it("is what contradicts, where the service tells another movement under the same id", () => {
    const kept = transfers()
    kept.show([transfer({ amount: "9", timestamp: 5 })], undefined, imported)
    kept.show([transfer()], 10)
    assert.deepStrictEqual(kept.rows.map(({ imported, query, record }) => [record.amount, imported, query]), [
      ["1.5", false, 1]
    ])
    assert.deepStrictEqual(kept.past.map(({ imported, kind, record }) => [kind, record.amount, imported]), [
      ["conflict", "9", true]
    ])
    assert.deepStrictEqual(kept.show([transfer()], 20), unchanged)
  })

  it("gives way to the service's own word, which also says whose query it is", () => {
    const kept = transfers()
    kept.show([transfer({ status: "WAIT" })], undefined, imported)
    kept.show([transfer({ status: "SUCCESS" })], 10)
    assert.deepStrictEqual(kept.rows.map(({ imported, query, record }) => [record.status, imported, query]), [[
      "SUCCESS",
      false,
      1
    ]])
    const same = transfers()
    same.show([transfer()], undefined, imported)
    same.show([transfer()], 10)
    assert.deepStrictEqual(same.rows.map(({ history, imported, query }) => [imported, query, history]), [[false, 1, 0]])
  })
})

describe("what a reading means for deposits that are alike", () => {
  const twins = (...statuses: ReadonlyArray<number>) => statuses.map((status) => deposit({ status }))
  const statuses = (kept: Kept<Deposit>) => kept.rows.map(({ record }) => record.status)

  it("counts them by the response that showed most", () => {
    const kept = deposits()
    assert.strictEqual(kept.show(twins(5, 5), 1).added, 2)
    assert.strictEqual(kept.show(twins(5), 2).added, 0)
    assert.strictEqual(kept.show(twins(5, 5, 5), 3).added, 1)
    assert.strictEqual(new Set(kept.rows.map(({ id }) => id)).size, 3)
  })

  it("lets those that did not change keep their number, in whatever order they come", () => {
    const kept = deposits()
    kept.show(twins(4, 5), 1)
    const before = kept.rows
    kept.show(twins(5, 4), 1)
    assert.deepStrictEqual(kept.rows, before)
    kept.show(twins(5, 5), 3)
    assert.deepStrictEqual(statuses(kept), [5, 5])
    assert.strictEqual(kept.past.length, 1)
  })

  it("takes no twin on another page for a status that went back; a whole slice tells them apart", () => {
    const kept = deposits()
    kept.show(twins(5), 1)
    assert.deepStrictEqual(kept.show(twins(4), 2), unchanged)
    assert.deepStrictEqual(kept.show(twins(5, 4), 2, { completeAt: () => 0 }), {
      added: 1,
      changed: 0,
      vanished: 0
    })
    assert.deepStrictEqual([statuses(kept), kept.past], [[5, 4], []])
    kept.show(twins(4, 4), 3, { completeAt: () => 0 })
    assert.deepStrictEqual(kept.past.map(({ record }) => record.status), [5])
  })

  it("takes no twin for one that went back where a slice was not proven either", () => {
    const kept = deposits()
    kept.show(twins(4, 5), 1, { completeAt: () => 0 })
    assert.deepStrictEqual(kept.show(twins(4, 7), 2, { completeAt: () => undefined }), unchanged)
    kept.show(twins(4, 4), 3, { completeAt: () => undefined })
    assert.deepStrictEqual([new Set(statuses(kept)), kept.past], [new Set([4, 5]), []])
    kept.show(twins(4, 7), 4, { completeAt: () => 4 })
    assert.deepStrictEqual(kept.past.map(({ record }) => record.status), [5])
  })

  const Moment = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 }))
  const Lives = Schema.Array(Schema.Tuple([Moment, Schema.Literals([5, 7])])).check(
    Schema.isMinLength(1),
    Schema.isMaxLength(4)
  )
  const Late = Schema.Array(Schema.Struct({ seenAt: Moment, isWhole: Schema.Boolean, hides: Schema.Int })).check(
    Schema.isMaxLength(10)
  )

  it.effect.prop("calls none a status that went back where readings come later than newer ones", [Lives, Late], (
    [lives, readings]
  ) =>
    Effect.sync(() => {
      const kept = deposits()
      for (const { hides, isWhole, seenAt } of readings) {
        const all = lives.map(([settled, end]) => seenAt >= settled ? end : 4)
        const shown = isWhole ? all : all.filter((_, index) => (hides >> index) % 2 === 0)
        kept.show(twins(...shown), seenAt, isWhole ? { completeAt: () => seenAt } : {})
      }
      for (const { id, record } of kept.rows) {
        const versions = kept.past.filter((past) => past.id === id && past.kind === "version")
        const told = [
          ...versions.toSorted((a, b) => a.seenAt - b.seenAt).map(({ record }) => record.status),
          record.status
        ].join("")
        assert.notMatch(told, /[57]4/, `of those that ended at ${JSON.stringify([lives, readings])}`)
      }
    }), { arbitrary: { runs: cases(1000) } })

  it("counts one of two as vanished when a complete reading shows one", () => {
    const kept = deposits()
    kept.show(twins(4, 5), 1)
    assert.strictEqual(kept.show(twins(5), 2, { completeAt: () => 2 }).vanished, 1)
    assert.deepStrictEqual(kept.rows.map(({ record, vanishedAt }) => [record.status, vanishedAt]), [[4, 2], [5, null]])
  })

  const Shown = Schema.Array(Schema.Literals([4, 5, 7])).check(Schema.isMaxLength(4))
  const Readings = Schema.Array(Shown).check(Schema.isMaxLength(5))

  it.effect.prop("keeps as many as were ever shown at once, the last response among them, and is idempotent", [
    Readings
  ], ([readings]) =>
    Effect.sync(() => {
      const kept = deposits()
      for (const [index, shown] of readings.entries()) {
        const whole = { completeAt: () => 0 }
        kept.show(twins(...shown), index + 1, whole)
        assert.deepStrictEqual(kept.show(twins(...shown).toReversed(), index + 1, whole), unchanged)
        const left = statuses(kept)
        for (const status of shown) {
          const found = left.indexOf(status)
          assert.isTrue(found >= 0, `${status} of ${shown.join()} is not kept`)
          left.splice(found, 1)
        }
      }
      assert.strictEqual(kept.rows.length, Math.max(0, ...readings.map(({ length }) => length)))
    }))
})
