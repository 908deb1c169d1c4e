/** A run may know an outcome in part that comes near to where its reading ended. */
import { assert, describe, it } from "@effect/vitest"
import type * as Coverage from "@tallystick/core/Coverage"
import type * as Entry from "@tallystick/reconcile/Entry"
import * as Edges from "../src/internal/coverage/Edges.ts"

const part = (from: number, to: number, more: Partial<Coverage.Coverage> = {}): Coverage.Coverage => ({
  operation: "deposits",
  from,
  to,
  readAt: 0,
  state: "complete",
  ...more
})

/** It was read from 100 to 200, and a policy looks 10 far. */
const reading: Edges.Reading = { read: { from: 100, to: 200 }, horizon: 10, coverage: [part(90, 210)] }

const lacking = (from: number, to: number, code: Coverage.Gap["code"]): Coverage.Coverage =>
  part(from, to, { state: "incomplete", gap: { code, detail: "a reason" } })

const isCut = (
  at: number,
  more: Partial<Edges.Reading> = {},
  entry: Partial<Entry.Entry> = {},
  final = false
): boolean => {
  const deposit = { side: "deposit", id: "d", asset: "BTC", amount: "1", at, status: "settled", ...entry } as const
  const watch = Edges.watch({ ...reading, ...more })
  watch.add({ final, deposits: [deposit], transfers: [] })
  return watch.isAnyCut()
}

describe("an outcome may go on behind what was read", () => {
  it.each<readonly [string, boolean]>([
    ["where it comes near to the beginning", isCut(109)],
    ["where it comes near to the end", isCut(191)],
    ["where a deposit settled near to the end", isCut(150, {}, { past: { statuses: [], settledAt: 195 } })],
    ["where a hole is beside it", isCut(191, { coverage: [part(90, 185), part(188, 210)] })],
    ["where reading failed behind it", isCut(191, { coverage: [part(90, 200), lacking(200, 210, "failed-page")] })]
  ])("%s", (_, is) => assert.isTrue(is))

  it.each<readonly [string, boolean]>([
    ["where it is final", isCut(191, {}, {}, true)],
    ["where it is farther away than the policy looks", isCut(150)],
    [
      "where the archive ends with what was read",
      isCut(191, { coverage: [part(90, 200), lacking(200, 210, "not-read")] })
    ],
    ["where the archive has more at the other end alone", isCut(109, { coverage: [part(100, 210)] })]
  ])("but not %s", (_, is) => assert.isFalse(is))
})
