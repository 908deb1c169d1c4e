import { assert, describe, it } from "@effect/vitest"
import * as Amount from "@tallystick/core/Amount"
import * as Conventions from "@tallystick/core/Conventions"
import * as Page from "@tallystick/core/Page"
import * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import * as BigDecimal from "effect/BigDecimal"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Answer from "../src/internal/wire/Answer.ts"
import { deposit, depositFields, transfer, transferFields } from "./support/records.ts"

const answered = (text: string): unknown =>
  Result.getOrThrow(
    Answer.read({ status: 200, contentType: "application/json", retryAfter: undefined, date: undefined, text }, {
      conventions: Conventions.mexc,
      permission: "",
      hasTranIds: true,
      excerpt: (text) => text
    })
  )
const deposits = (text: string) => Option.getOrThrow(Page.readDeposits(answered(text), text, 3))
const transfers = (text: string) => Option.getOrThrow(Page.readTransfers(answered(text), text, 3))
const oneDeposit = (changes: object) => deposits(JSON.stringify([{ ...depositFields, ...changes }]))
const oneTransfer = (changes: object) => transfers(JSON.stringify([{ ...transferFields, ...changes }]))

it("a list of more records than any page has is not read", () => {
  for (const length of [200_000, 200_001]) {
    const list = Array<number>(length).fill(1)
    const isRead = length === 200_000
    assert.strictEqual(Option.isSome(Page.readDeposits(list, "[]", 1)), isRead)
    assert.strictEqual(Option.isSome(Page.readTransfers({ result: list }, "[]", 1)), isRead)
  }
})

describe("a key that stands twice", () => {
  it("makes a record a bad one, and no other on its page", () => {
    const [good, other] = [JSON.stringify(transfer()), JSON.stringify(transfer({ tranId: "8" }))]
    const twice = other.replace("{", "{ \"amount\" : \"1\", ")
    for (const text of [`[${good},${twice}]`, `{"result":[${good},${twice}],"totalCount":2}`]) {
      const page = transfers(text)
      assert.deepStrictEqual(page.records, [transfer()])
      assert.deepStrictEqual(page.bad, [
        { side: "transfer", source: "page 3, record 2", path: "", reason: "\"amount\" stands in it twice", raw: twice }
      ])
    }
    const unknown = JSON.stringify(deposit()).replace("{", "{\"x\":{\"y\":1,\"y\":1},")
    assert.deepStrictEqual(deposits(`[${unknown}]`).bad.map(({ raw }) => raw), [unknown])
  })

  it("does not stand there where a comma or a key stands in a text", () => {
    const odd = deposit({ memo: ",\"amount\":\"2\"," })
    assert.deepStrictEqual(deposits(JSON.stringify([odd, deposit()])), { records: [odd, deposit()], bad: [] })
  })

  it("makes no list of two: one of them would be passed over", () => {
    const list = JSON.stringify([transfer()])
    for (const text of [`{"result":[],"result":${list}}`, `{"totalCount":9,"result":${list},"total\\u0043ount":1}`]) {
      assert.isTrue(Option.isNone(Page.readTransfers(JSON.parse(text), text, 1)), text)
    }
    assert.strictEqual(transfers(`{"msg":"","msg":"","result":${list}}`).records.length, 1)
  })
})

describe("transfers", () => {
  it("come as a bare array or as {result, totalCount}", () => {
    const list = [transfer()]
    assert.deepStrictEqual(transfers(JSON.stringify(list)), { records: list, bad: [] })
    for (const totalCount of [7, "7"]) {
      assert.deepStrictEqual(transfers(JSON.stringify({ result: list, totalCount })), {
        records: list,
        bad: [],
        totalCount: 7
      })
    }
    for (const odd of [{}, { totalCount: null }, { totalCount: "many" }]) {
      assert.deepStrictEqual(transfers(JSON.stringify({ result: list, ...odd })).records, list)
    }
  })

  it("keep every digit of a numeric tranId", () => {
    const text = JSON.stringify([transfer()]).replace("\"7\"", "90071992547409931234567890")
    assert.strictEqual(transfers(text).records[0]?.tranId, "90071992547409931234567890")
    assert.strictEqual(
      transfers(text.replace("\"tranId\":", "\"tranId\" :\n ")).records[0]?.tranId,
      "90071992547409931234567890"
    )
    assert.strictEqual(oneTransfer({ tranId: 5 }).records[0]?.tranId, "5")
  })

  it("keep statuses and account types that nobody has seen", () => {
    const [record] = oneTransfer({ status: "REVERSED", fromAccountType: "MARGIN", toAccountType: "FUTURE" }).records
    assert.deepStrictEqual([record?.status, record?.fromAccountType, record?.toAccountType], [
      "REVERSED",
      "MARGIN",
      "FUTURE"
    ])
  })

  it("ignore unknown keys, and read absent or null parts as empty", () => {
    const { asset, amount, status, timestamp, tranId } = transferFields
    const bare = {
      asset,
      amount,
      status,
      timestamp,
      tranId,
      fromAccount: null,
      clientTranId: null,
      extra: { deep: [1] }
    }
    const [record] = transfers(JSON.stringify([bare])).records
    assert.deepStrictEqual(record, {
      ...transferFields,
      fromAccount: "",
      toAccount: "",
      fromAccountType: "",
      toAccountType: "",
      fromSymbol: "",
      toSymbol: ""
    })
  })

  it("are unreadable where neither end has its name, and not taken for the master account's own", () => {
    const { fromAccount: from, toAccount: to, ...rest } = transferFields
    const page = transfers(JSON.stringify([{ ...rest, fromEmail: from, toEmail: to }, { ...rest, toAccount: "a@x" }]))
    assert.deepStrictEqual(page.records.map(({ fromAccount, toAccount }) => [fromAccount, toAccount]), [["", "a@x"]])
    assert.deepStrictEqual(page.bad.map(({ path, source }) => [path, source]), [["fromAccount", "page 3, record 1"]])
  })
})

describe("deposits", () => {
  it("read netWork, confirmations as numbers, and a memo that is null or missing", () => {
    const { memo: _, network, ...rest } = depositFields
    const page = deposits(JSON.stringify([
      { ...rest, netWork: network, unlockConfirm: 10, confirmTimes: 12 },
      { ...rest, network, netWork: "other", memo: null, unlockConfirm: null, confirmTimes: undefined }
    ]))
    assert.deepStrictEqual(page.records, [deposit(), deposit({ unlockConfirm: "", confirmTimes: "" })])
  })

  it("keep unknown status codes, odd coins and the suffix of a txId", () => {
    const [record] = oneDeposit({ status: 99, coin: "USDC-TRX", txId: "abc:17" }).records
    assert.deepStrictEqual([record?.status, record?.coin, record?.txId], [99, "USDC-TRX", "abc:17"])
  })

  it("keep amounts of 64 digits a side exactly, and of 30 decimals as written", () => {
    const long = `${"9".repeat(64)}.${"1".repeat(64)}`
    const [record] = oneDeposit({ amount: long }).records
    assert.strictEqual(record?.amount, long)
    assert.isTrue(BigDecimal.equals(Amount.toBigDecimal(record!.amount), BigDecimal.fromStringUnsafe(long)))
    const written = "0.003567050000000000000000000000"
    assert.strictEqual(oneDeposit({ amount: written }).records[0]?.amount, written)
  })

  it("split the memo from the address in any spelling of the same place", () => {
    const identities = [
      deposit({ address: "r:5", memo: "5" }),
      deposit({ address: "r:5", memo: "" }),
      deposit({ address: "r", memo: "5", amount: "01.50", status: 1, confirmTimes: "0" })
    ].map(SubAccountDeposit.identity)
    assert.strictEqual(new Set(identities).size, 1)
    assert.notStrictEqual(
      SubAccountDeposit.identity(deposit({ txId: "hash:1" })),
      SubAccountDeposit.identity(deposit())
    )
  })
})

describe("a bad record", () => {
  const amounts = ["1e3", "-1", "", "1".repeat(65), `0.${"1".repeat(65)}`, "1,5", " 1"]

  it("never hides the good ones, and says where it stood", () => {
    for (const amount of amounts) {
      const page = deposits(JSON.stringify([deposit({ txId: "a" }), deposit({ amount }), deposit({ txId: "b" })]))
      assert.deepStrictEqual(page.records.map(({ txId }) => txId), ["a", "b"])
      const [bad] = page.bad
      assert.deepStrictEqual([bad?.side, bad?.source, bad?.path], ["deposit", "page 3, record 2", "amount"])
      assert.strictEqual(bad?.raw, JSON.stringify(deposit({ amount })))
      assert.strictEqual(Page.length(page), 3)
    }
  })

  it("keeps the exact text of numbers", () => {
    const text = JSON.stringify([deposit()]).replace("\"1.5\"", "1.5000000000000000000001000")
    const page = deposits(text)
    assert.deepStrictEqual(page.records, [])
    assert.strictEqual(`[${page.bad[0]?.raw}]`, text)
  })

  it("is also one that is no object, lacks a field, or has a time that is none", () => {
    const { txId: _, ...noTxId } = depositFields
    const items = [
      null,
      5,
      "x",
      [],
      {},
      noTxId,
      deposit({ insertTime: 1.5 }),
      deposit({ insertTime: -1 }),
      deposit({ insertTime: 8.7e15 }),
      { ...depositFields, insertTime: "1700000000000" }
    ]
    const page = deposits(JSON.stringify([...items, deposit()]))
    assert.strictEqual(page.records.length, 1)
    assert.strictEqual(page.bad.length, items.length)
    for (const [index, bad] of page.bad.entries()) assert.strictEqual(bad.raw, JSON.stringify(items[index]))
  })

  it("is a transfer without an id or asset", () => {
    for (const changes of [{ tranId: "" }, { tranId: null }, { asset: "" }, { amount: 1.5 }, { timestamp: null }]) {
      const page = transfers(JSON.stringify([transfer({ tranId: "8" }), { ...transferFields, ...changes }]))
      assert.deepStrictEqual([page.records.length, page.bad.length, page.bad[0]?.path], [1, 1, Object.keys(changes)[0]])
    }
  })
})

describe("an answer that is no list", () => {
  it("is none, whatever else it is", () => {
    for (const text of ["{}", "null", "5", "\"x\"", "{\"result\":{}}", "{\"data\":[]}"]) {
      assert.isTrue(Option.isNone(Page.readDeposits(answered(text), text, 1)), text)
    }
  })
})
