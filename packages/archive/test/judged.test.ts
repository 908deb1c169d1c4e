/** Of an entry that several runs of an execution tell, the run over its own time counts. */
import { assert, describe, it } from "@effect/vitest"
import * as Judged from "../src/internal/books/Judged.ts"
import type * as Judgement from "../src/internal/books/Judgement.ts"

const told = (state: Judgement.Judgement["state"]): Judgement.Judgement => ({
  side: "deposit",
  id: "d",
  asset: "BTC",
  amount: "1",
  at: 15,
  state,
  code: "class-short",
  outcome: "0".repeat(16)
})

const run = (from: number, to: number, state: Judgement.Judgement["state"]): Judged.Judged => ({
  range: { from, to },
  judged: new Map([["deposit d", told(state)]]),
  elsewhere: new Set()
})

describe("what several runs say of one entry", () => {
  it("is what the run over its own time says, whichever comes first", () => {
    const [own, other] = [run(10, 20, "matched"), run(20, 30, "open")]
    for (const all of [[own, other], [other, own]]) {
      assert.strictEqual(Judged.join(all).judged.get("deposit d")?.state, "matched")
    }
  })
})
