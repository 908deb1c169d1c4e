import { assert, describe, it } from "@effect/vitest"
import * as ClientTranId from "@tallystick/core/ClientTranId"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Accounts from "@tallystick/reconcile/Accounts"
import type * as Entry from "@tallystick/reconcile/Entry"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as Archive from "../src/Archive.ts"
import * as ArchiveSource from "../src/ArchiveSource.ts"
import { databases } from "./support/databases.ts"
import { deposit, NOW, transfer } from "./support/records.ts"

const MINUTE = 60_000
const range = { from: NOW - MINUTE, to: NOW + MINUTE }

const complete = (operation: Coverage.Coverage["operation"], readAt: number): ReadonlyArray<Coverage.Coverage> => [
  { operation, ...range, readAt, state: "complete" }
]

const source = { ...range, policy: Policy.defaults, accounts: Accounts.none }

const entries = <E, R>(side: Stream.Stream<{ readonly records: ReadonlyArray<Entry.Entry> }, E, R>) =>
  Effect.map(Stream.runCollect(side), (slices) => slices.flatMap(({ records }) => records))

describe.each(databases)("entries from $name", ({ layer }) => {
  const archive = <A, E>(effect: Effect.Effect<A, E, Archive.Archive>) =>
    Effect.scoped(Effect.provide(effect, Layer.provide(Archive.Archive.layer, layer)))

  const readDeposits = (readAt: number, ...records: ReadonlyArray<ReturnType<typeof deposit>>) =>
    Archive.Archive.use(({ deposits }) =>
      deposits.saveSlice({ ...range, records, bad: [], coverage: complete("deposits", readAt) })
    )

  it.effect("number true twins from one on, in the order of the keys' derivation and not of the keys", () =>
    archive(Effect.gen(function*() {
      const hashes = ["a", "b", "c", "d", "e", "f"]
      const twins = hashes.flatMap((txId) => Array.from({ length: 3 }, () => deposit({ txId })))
      yield* readDeposits(NOW, ...twins)
      const found = yield* entries(ArchiveSource.deposits(source))
      const expected = yield* Effect.forEach(
        hashes,
        (txId) =>
          Effect.map(
            Effect.forEach([1, 2, 3], (ordinal) => ClientTranId.clientTranIdFor(deposit({ txId }), ordinal)),
            (ids) =>
              ids.map((reference, index) => [
                `${txId}~${ids[0]?.slice(-10)}${index === 0 ? "" : `#${index + 1}`}`,
                reference
              ])
          )
      )
      assert.sameDeepMembers(found.map(({ id, reference }) => [id, reference]), expected.flat())
      assert.isTrue(found.every(({ id }, index) => index === 0 || (found[index - 1]?.id ?? "") < id))
    })))

  it.effect("hold what a link names by id outside of the interval, in order of time, twins numbered, and nothing twice", () =>
    archive(Effect.gen(function*() {
      const { deposits } = yield* Archive.Archive
      const times = [NOW - 9 * MINUTE, NOW, NOW + 9 * MINUTE]
      const twins = times.flatMap((insertTime) => [deposit({ insertTime }), deposit({ insertTime })])
      yield* deposits.importRecords([...twins, deposit({ insertTime: NOW + 20 * MINUTE })])
      const everything = yield* entries(ArchiveSource.deposits({ ...source, from: 0, to: NOW + 99 * MINUTE }))
      const named = everything.filter(({ at, id }) => at <= NOW + 9 * MINUTE && id.endsWith("#2"))
      assert.strictEqual(named.length, 3)
      const links = named.map(({ id }, index) => ({ deposits: [id] as const, transfers: [`t${index}`] as const }))
      const policy = { ...Policy.defaults, links }
      const found = yield* entries(ArchiveSource.deposits({ ...source, policy }))
      assert.deepStrictEqual(
        found,
        everything.filter(({ at, id }) => at === NOW || named.some((one) => one.id === id))
      )
    })))

  it.effect("carry the statuses that the service told before, each once, and none that is told still", () =>
    archive(Effect.gen(function*() {
      const { deposits } = yield* Archive.Archive
      yield* readDeposits(NOW + 1, deposit({ status: 4 }))
      yield* readDeposits(NOW + 2, deposit({ status: 6 }))
      yield* readDeposits(NOW + 3, deposit({ status: 5 }))
      yield* readDeposits(NOW + 4, deposit({ status: 5, confirmTimes: "20" }))
      const settled = yield* entries(ArchiveSource.deposits(source))
      assert.deepStrictEqual(settled.map(({ past, status }) => ({ past, status })), [
        {
          status: "settled",
          past: { statuses: [{ status: "pending", seenAt: NOW + 1 }], settledAt: NOW + 3, unsettledAt: NOW + 2 }
        }
      ])
      yield* readDeposits(NOW + 5, deposit({ status: 4, confirmTimes: "20" }))
      yield* deposits.importRecords([deposit({ status: 7 })])
      const [back] = yield* entries(ArchiveSource.deposits(source))
      assert.deepStrictEqual(back?.past, {
        statuses: [{ status: "pending", seenAt: NOW + 1 }, { status: "settled", seenAt: NOW + 3 }]
      })
    })))

  it.effect("have no past where nothing but confirmations changed", () =>
    archive(Effect.gen(function*() {
      for (const [index, confirmTimes] of ["1", "2", "3"].entries()) {
        yield* readDeposits(NOW + index, deposit({ confirmTimes }))
      }
      const [entry] = yield* entries(ArchiveSource.deposits(source))
      assert.isFalse(Object.hasOwn(entry ?? {}, "past"))
      assert.deepStrictEqual(entry?.record, deposit({ confirmTimes: "3" }))
    })))

  it.effect("do not take what a file says for an earlier status", () =>
    archive(Effect.gen(function*() {
      const { deposits } = yield* Archive.Archive
      yield* deposits.importRecords([deposit({ status: 5 })])
      yield* readDeposits(NOW, deposit({ status: 4 }))
      const [entry] = yield* entries(ArchiveSource.deposits(source))
      assert.deepStrictEqual([entry?.status, entry?.past], ["pending", undefined])
    })))

  it.effect("tell what vanished, and when that was seen", () =>
    archive(Effect.gen(function*() {
      yield* readDeposits(NOW, deposit())
      yield* readDeposits(NOW + 7)
      const [entry] = yield* entries(ArchiveSource.deposits(source))
      assert.deepStrictEqual(entry?.past, { statuses: [], vanishedAt: NOW + 7 })
    })))

  it.effect("tell the other contents of a transfer's id, and whichever query a transfer came with", () =>
    archive(Effect.gen(function*() {
      const { transfers } = yield* Archive.Archive
      const query = { fromAccountType: "SPOT", toAccountType: "SPOT" }
      const back = transfer({ tranId: "8", fromAccount: "master", toAccount: "a@x" })
      const save = (records: ReadonlyArray<ReturnType<typeof transfer>>, readAt: number, toAccount?: string) =>
        transfers.savePage({ records, bad: [], readAt }, toAccount === undefined ? query : { ...query, toAccount })
      yield* save([transfer()], NOW)
      yield* save([transfer({ amount: "2" })], NOW + 1)
      yield* save([back], NOW, "a@x")
      const found = yield* entries(ArchiveSource.transfers(source))
      const told = found.find(({ id }) => id === "7")
      const contents = [told?.amount, ...(told?.past?.conflicts ?? []).map((text) => JSON.parse(text).amount)]
      assert.sameMembers(contents, ["1.5", "2"])
      assert.deepStrictEqual(found.find(({ id }) => id === "8")?.to, "a@x")
    })))
})
