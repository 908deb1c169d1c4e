/** When a run reads on: where time that the archive has, and that was not read, may change what is settled. */
import { assert, describe, it } from "@effect/vitest"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "@tallystick/reconcile/Entry"
import * as Further from "../src/internal/coverage/Further.ts"

const HOUR = 3_600_000

const known = (
  from: number,
  to: number,
  more: Partial<Coverage.Coverage> = {}
): Coverage.Coverage => ({
  operation: "transfers",
  from: from * HOUR,
  to: to * HOUR,
  readAt: 0,
  state: "complete",
  ...more
})

const hours = (from: number, to: number): Coverage.Interval => ({ from: from * HOUR, to: to * HOUR })

/** 10 hours are read, from the 45th to the 55th; the archive goes on to the 100th. */
const reading = {
  coverage: [known(40, 60)],
  next: hours(40, 60),
  read: hours(45, 55),
  reach: 2 * HOUR,
  end: 100 * HOUR
}

const missing = known(55, 70, { state: "incomplete", gap: { code: "not-read", detail: "nobody asked" } })

const query: Coverage.TransferQuery = { fromAccount: "a@x", fromAccountType: "SPOT", toAccountType: "SPOT" }

type Told = Parameters<typeof Further.mayChange>[1]

const report = (
  outcome: Partial<Told["outcomes"][number]>,
  unread: Told["unread"] = [],
  status: Entry.Status = "settled"
): Told => {
  const deposit = { side: "deposit", id: "d", asset: "BTC", amount: "1", at: 50 * HOUR, status } as const
  return { unread, outcomes: [{ final: false, deposits: [deposit], transfers: [], ...outcome }] }
}

describe("a run reads on", () => {
  it("for what lacks time that the archive has, and for what is not final beside no hole", () => {
    assert.isTrue(Further.mayChange(reading, report({ missing })))
    assert.isTrue(Further.mayChange(reading, report({})))
  })

  it.each<readonly [string, Partial<typeof reading>, Told]>([
    ["everything is final", {}, report({ missing, final: true })],
    ["the archive has no more than was read", { read: hours(40, 60) }, report({ missing })],
    ["the archive has nothing of what is lacking", { coverage: [known(40, 55)] }, report({ missing })],
    ["it is of another query", { coverage: [known(40, 60, { query })] }, report({ missing })],
    ["it was asked for in vain", { coverage: [known(40, 55), { ...missing }] }, report({ missing })],
    [
      "no reading tells whose it is",
      {},
      report({ missing: { ...missing, gap: { code: "unattributed", detail: "of no account" } } })
    ],
    ["the archive lacks time beside it", { coverage: [known(40, 49), known(51, 60)] }, report({})],
    ["a query lacks time beside it", { coverage: [known(40, 60), known(40, 49, { query })] }, report({})],
    ["something of the range was not read", {}, report({}, [known(50, 51, { state: "incomplete" })])],
    ["it is not settled", {}, report({ missing }, [], "pending")],
    ["its time is hardly over", { end: 51 * HOUR }, report({ missing })]
  ])("but not where %s", (_, more, given) => {
    assert.isFalse(Further.mayChange({ ...reading, ...more }, given))
  })
})
