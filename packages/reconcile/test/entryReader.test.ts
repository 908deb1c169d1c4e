import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Accounts from "../src/Accounts.ts"
import type * as Entry from "../src/Entry.ts"
import * as EntryReader from "../src/EntryReader.ts"
import * as Policy from "../src/Policy.ts"
import * as Run from "./support/Run.ts"

/** The time of every entry, and of the reading. */
const AT = 1_700_000_000_000

const options = { policy: Policy.defaults, accounts: Accounts.none }

const decode = (fields: object) => {
  const value = { id: "t1", asset: "BTC", amount: "1", at: AT, ...fields }
  return EntryReader.decode("transfer", { value, source: "line 1", raw: JSON.stringify(value) }, options, AT)
}

const read = (fields: object): Effect.Effect<ReadonlyArray<Entry.Entry>> =>
  Effect.flatMap(Effect.fromResult(decode(fields)), (decoded) => EntryReader.entries([decoded], options)).pipe(
    Effect.orDie
  )

const ends = (entries: ReadonlyArray<Entry.Entry>) => entries.map(({ from, to }) => [from, to])

describe("the ends of a plain transfer", () => {
  it.live("an empty end beside a sub-account is the master account", () =>
    Effect.gen(function*() {
      const back = yield* read({ from: "", to: "a" })
      assert.deepStrictEqual(ends(back), [["", "a"]])
      assert.deepStrictEqual(
        Run.outcomes({ deposits: [{ ...Run.deposit("d1", 0, { account: "a" }), at: AT }], transfers: back }),
        ["wrong-direction d1 t1"]
      )
      assert.deepStrictEqual(ends(yield* read({ from: "a", to: "" })), [["a", ""]])
    }))

  it.live("says nothing where both are empty, the other is the master account, or there is no other", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(ends(yield* read({ from: "", to: "" })), [[undefined, undefined]])
      assert.deepStrictEqual(ends(yield* read({ from: "", to: "master" })), [[undefined, "master"]])
      assert.deepStrictEqual(ends(yield* read({ from: "a" })), [["a", undefined]])
      assert.deepStrictEqual(ends(yield* read({ to: "" })), [[undefined, undefined]])
    }))
})

describe("a past in a file", () => {
  it.live("is refused, because without it a record that vanished would be matched", () =>
    Effect.gen(function*() {
      const refused = decode({ past: { statuses: [], vanishedAt: AT } })
      assert.strictEqual(Result.isFailure(refused) ? refused.failure.path : undefined, "past")
      const empty = yield* read({ past: "" })
      assert.deepStrictEqual(empty.map(({ past }) => past), [undefined])
    }))
})

describe("the side that a row says", () => {
  const refusal = (fields: object) => {
    const refused = decode(fields)
    return Result.isFailure(refused) ? [refused.failure.side, refused.failure.path, refused.failure.reason] : []
  }

  it("is refused where it is not the side that is read, because the row would be matched as what it is not", () => {
    assert.deepStrictEqual(refusal({ side: "deposit" }), ["transfer", "side", `"transfer" was wanted, "deposit" came`])
    for (const side of ["Transfer", "out", 1, false, {}]) assert.strictEqual(refusal({ side })[1], "side")
  })

  it("is fine where it is that side, or says nothing", () => {
    for (const side of ["transfer", "", null, undefined]) assert.deepStrictEqual(refusal({ side }), [])
  })
})

describe("the time of a plain entry", () => {
  const refusal = (at: unknown) => {
    const refused = decode({ at })
    return Result.isFailure(refused) ? [refused.failure.path, refused.failure.reason] : []
  }

  it("is no date alone, because its midnight would be matched as a moment", () => {
    for (
      const at of [
        "2023-11-14",
        "2023-11-14 Z",
        "2023-11-14+01:00",
        "2023-11-14T+0100",
        " 2023-11-14 ",
        "2023/11/14",
        "2023-2-30"
      ]
    ) {
      const [path, reason = ""] = refusal(at)
      assert.strictEqual(path, "at", at)
      assert.include(reason, "a date alone is no time", at)
    }
    assert.strictEqual(refusal("20231114")[0], "at")
  })

  it("is a moment with its zone, at midnight too", () => {
    for (const at of ["2023-11-14T00:00:00Z", "2023-11-14 00:00+01:00", "2023-11-14T22:13:20.000-03:30", `${AT}`, AT]) {
      assert.deepStrictEqual(refusal(at), [], `${at}`)
    }
  })
})

describe("a field whose name is nearly that of another", () => {
  const refusal = (fields: object) => {
    const refused = decode(fields)
    return Result.isFailure(refused) ? [refused.failure.path, refused.failure.reason] : []
  }

  it("is a bad record where that other is absent, because an entry without a status counts as settled", () => {
    for (
      const [written, meant] of [
        ["stauts", "status"],
        ["Status", "status"],
        ["statu", "status"],
        ["statuss", "status"],
        ["acount", "account"],
        ["from_type", "fromType"],
        ["Référence", "reference"],
        ["form", "from"]
      ] as const
    ) {
      assert.deepStrictEqual(refusal({ [written]: "pending" }), [
        written,
        `the field "${written}" would not be read; name it "${meant}" if that is what it holds, and otherwise something ` +
        "that looks less like it"
      ])
      assert.deepStrictEqual(refusal({ [written]: "pending", [meant]: "a" }), [])
    }
  })

  it("is passed over where it looks like none", () => {
    assert.deepStrictEqual(
      refusal({
        side: "transfer",
        state: "pending",
        type: "SPOT",
        note: "x",
        date: "x",
        currency: "x",
        txHash: "x",
        too: "x"
      }),
      []
    )
  })

  it("is found however many names a source has", () => {
    for (let index = 0; index < 3000; index++) assert.deepStrictEqual(refusal({ [`column ${index}`]: "x" }), [])
    assert.strictEqual(refusal({ statuz: "x" })[0], "statuz")
  })
})
