/** A run that is decided in parts is the run that is decided at once, and so are the books. */
import { assert, describe, it } from "@effect/vitest"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Archive from "../src/Archive.ts"
import type * as ArchiveError from "../src/ArchiveError.ts"
import * as ArchiveReconciliation from "../src/ArchiveReconciliation.ts"
import { Database } from "../src/internal/sql/Database.ts"
import * as Workers from "../src/Workers.ts"
import { at } from "./support/at.ts"
import { inBoth, memory } from "./support/databases.ts"
import { archiveOn, DAY, HOUR, testOn } from "./support/decisions.ts"
import * as Nights from "./support/Nights.ts"
import { deposit, NOW } from "./support/records.ts"
import * as Seeded from "./support/Seeded.ts"

const accounts = { list: ["a@x"], complete: true }

const Text = Schema.fromJsonString(Workers.Order)

/** Decides parts as another process would: the order comes as text, and what becomes of it as a copy. */
const elsewhere = (count: number) => (archive: Archive.Service): Workers.Workers => ({
  count,
  least: 1,
  decide: (order) =>
    Schema.decodeEffect(Text)(Schema.encodeSync(Text)(order)).pipe(
      Effect.orDie,
      Effect.flatMap((order) => Workers.decide(order)),
      Effect.map(Option.map((part) => structuredClone(part))),
      Effect.provideService(Archive.Archive, archive)
    )
})

/** Each of these stands in some report, or the histories do not try what they should. */
const SIGNS = [
  "\"accepted\"",
  "\"provisional\": true",
  "\"conflicts\"",
  "\"bad-record\"",
  "\"not-read\"",
  "and is not followed",
  "\"carried\""
]

const kinds = inBoth({
  memory: Math.min(Seeded.cases(5), 300),
  postgres: Math.min(Math.ceil(Seeded.cases(1) / 100), 5)
})

describe.each(kinds)("an archive that is reconciled in parts, in $kind.name", ({ count, kind }) => {
  it.live("tells the same in its reports, keeps the same runs, and has the same books, whatever is decided and whatever heals later", () =>
    Effect.gen(function*() {
      const all: Array<string> = []
      for (let seed = 1; seed <= count; seed++) {
        const parts = 2 + seed % 3
        const once = (how: Parameters<typeof Nights.played>[1]) =>
          Nights.played(seed, how).pipe(Effect.provide(archiveOn(kind)))
        const told = yield* once(() => ({}))
        assert.deepStrictEqual(yield* once(() => ({ parts, batch: parts })), told)
        assert.deepStrictEqual(yield* once((archive) => ({ workers: elsewhere(parts)(archive) })), told)
        all.push(...told)
      }
      if (count > 1) { for (const sign of SIGNS) assert.isTrue(all.some((text) => text.includes(sign)), sign) }
    }).pipe(at(Nights.END)))
})

describe("a run in parts", () => {
  const asked = {
    range: { from: NOW - HOUR, to: NOW + HOUR },
    accounts,
    policy: Policy.defaults
  }

  it.live("reads each asset in one part alone, and is decided as a whole where something is written meanwhile", () =>
    testOn(memory)(Effect.gen(function*() {
      const archive = yield* Archive.Archive
      const read: Array<ReadonlyArray<string>> = []
      const run = (write: Effect.Effect<unknown, ArchiveError.IntervalError>) => {
        const deposits: Archive.Service["deposits"] = {
          ...archive.deposits,
          ofAssets: (assets, options) => {
            read.push(assets)
            return Stream.unwrap(
              Effect.orDie(Effect.as(write, archive.deposits.ofAssets(assets, options)))
            )
          }
        }
        return ArchiveReconciliation.run({ ...asked, parts: 2 }).pipe(
          Effect.provideService(Archive.Archive, { ...archive, deposits })
        )
      }
      const before = yield* ArchiveReconciliation.run(asked)
      assert.deepStrictEqual(yield* run(Effect.void), before)
      assert.deepStrictEqual(read, [["USDT"], ["BTC"]])
      const late = deposit({ txId: "late", coin: "ETH" })
      const after = yield* run(archive.deposits.savePage({ records: [late], bad: [], readAt: NOW + 6 * DAY }))
      assert.strictEqual(after.outcomes.length, before.outcomes.length + 1)
      assert.deepStrictEqual(after, yield* ArchiveReconciliation.run(asked))
    })))

  it.live("leaves out of its parts what is not as it was written, and tells of it", () =>
    testOn(memory)(Effect.gen(function*() {
      const { sql } = yield* Database
      yield* sql`UPDATE transfers SET amount = '7' WHERE id = 't1'`
      const whole = yield* ArchiveReconciliation.run(asked)
      assert.lengthOf(whole.outcomes.filter(({ code }) => code === "bad-record"), 1)
      assert.deepStrictEqual(yield* ArchiveReconciliation.run({ ...asked, parts: 2 }), whole)
    })))
})
