/** What the books are worth ties for whatever prices there are, and is stated of no asset that lacks one. */
import { assert, describe, it } from "@effect/vitest"
import type * as Report from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as ArchiveReconciliation from "../src/ArchiveReconciliation.ts"
import * as Books from "../src/Books.ts"
import * as Drivers from "../src/internal/Drivers.ts"
import * as OpenItems from "../src/OpenItems.ts"
import { archiveOn, clerk } from "./support/decisions.ts"
import { NOW } from "./support/records.ts"
import { cases } from "./support/Seeded.ts"
import { DAY, DAYS, read, Step } from "./support/steps.ts"
import { type Given, historyOf, worthOf } from "./support/worthByHand.ts"

const ASSETS = ["BTC", "ETH", "USDT"] as const

/** Hundredths, 0 where there is no price. Mostly nobody says which currency it is. */
const Prices = Schema.Struct({
  hundredths: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5 }))).check(
    Schema.isMinLength(ASSETS.length),
    Schema.isMaxLength(ASSETS.length)
  ),
  currency: Schema.Literals(["none", "none", "none", "EUR"])
})

const given = ({ currency, hundredths }: typeof Prices.Type): Given => ({
  currency: currency === "none" ? undefined : currency,
  of: new Map(
    ASSETS.flatMap((asset, place) => {
      const price = BigInt(hundredths[place] ?? 0)
      return price === 0n ? [] : [[asset, price] as const]
    })
  )
})

const hundredths = (text: string): bigint => {
  const [whole = "", fraction = ""] = text.split(".")
  return BigInt(whole + fraction.padEnd(2, "0"))
}

const written = ({ currency, of }: Given): Books.PriceList => ({
  of: new Map(Array.from(of, ([asset, price]) => [asset, `0.${String(price).padStart(2, "0")}`])),
  ...(currency === undefined ? {} : { currency })
})

type Lines = Report.RollForwardWorth["lines"]

const NAMES = [
  ["broughtForward", 1],
  ["revaluation", 1],
  ["new", 1],
  ["reopened", 1],
  ["restated", 1],
  ["moved", 1],
  ["matched", -1],
  ["decided", -1],
  ["setOut", -1]
] as const

type Worths = Omit<Report.RollForwardWorth["totals"][number], "side" | "state">

const ties = (line: Worths): void => {
  const sum = NAMES.reduce((sum, [name, sign]) => sum + BigInt(sign) * hundredths(line[name]), 0n)
  assert.strictEqual(sum, hundredths(line.carriedForward))
}

const ALL = [...NAMES.map(([name]) => name), "carriedForward"] as const

/** All that is not zero, by place and line. */
const flat = (lines: Lines): ReadonlyArray<string> =>
  lines.flatMap((line) =>
    ALL.filter((name) => line[name] !== "0").map((name) =>
      `${line.side} ${line.asset} ${line.state} ${name}: ${hundredths(line[name])}`
    )
  ).toSorted()

const ends = (lines: Lines, end: "broughtForward" | "carriedForward", asset: string): ReadonlyArray<string> =>
  lines.filter((line) => line.asset === asset && line[end] !== "0").map((line) =>
    `${line.side} ${line.state}: ${line[end]}`
  ).toSorted()

describe("what the books are worth", () => {
  it.effect.prop(
    "ties with its revaluation for any order of executions and lists of prices with holes, telescopes, and is what the history of the entries comes to",
    [
      Schema.Array(Schema.Struct({ step: Step, prices: Prices })).check(
        Schema.isMinLength(12),
        Schema.isMaxLength(24)
      )
    ],
    ([steps]) =>
      Effect.gen(function*() {
        const { execute } = yield* Books.Books
        const { reported } = yield* OpenItems.OpenItems
        const told: Array<{ readonly number: number; readonly now: Given; readonly books: Report.Books }> = []
        const records = steps.map(({ step }) => step)
        yield* read([], ASSETS)
        for (const [index, { prices, step }] of steps.entries()) {
          if (step.kind !== "execution") {
            yield* read(records.slice(0, index + 1), ASSETS)
            continue
          }
          const range = { from: NOW + step.from * DAY, to: NOW + Math.min(step.from + step.days, DAYS) * DAY }
          const { report, run } = yield* ArchiveReconciliation.record({
            range,
            accounts: { list: ["a@x"], complete: true }
          })
          const now = given(prices)
          const execution = yield* execute(run, report, { author: clerk, prices: written(now) })
          told.push({ number: execution.body.number, now, books: yield* reported(execution) })
        }
        const history = yield* historyOf
        for (const [place, { books, now, number }] of told.entries()) {
          const before = told[place - 1]
          const worth = books.worth ?? assert.fail("it was made with prices")
          const byHand = worthOf(history, number, now, before?.now)
          assert.deepStrictEqual(
            flat(worth.lines),
            Array.from(byHand.worth).filter(([, sum]) => sum !== 0n).map(([key, sum]) => `${key}: ${sum}`).toSorted()
          )
          assert.deepStrictEqual(worth.lacking.toSorted(), Array.from(byHand.lacking).toSorted())
          worth.lines.forEach(ties)
          worth.totals.forEach(ties)
          for (const total of worth.totals) {
            const own = worth.lines.filter(({ side, state }) => side === total.side && state === total.state)
            for (const name of ALL) {
              const sum = own.reduce((sum, line) => sum + hundredths(line[name]), 0n)
              assert.strictEqual(hundredths(total[name]), sum, name)
            }
          }
          // What one execution carries forward the next one brings forward, at the same prices.
          for (const asset of ASSETS) {
            if (before?.books.worth?.lacking.includes(asset) !== false || worth.lacking.includes(asset)) continue
            assert.deepStrictEqual(
              ends(worth.lines, "broughtForward", asset),
              ends(before.books.worth.lines, "carriedForward", asset)
            )
          }
        }
      }).pipe(Effect.provide(archiveOn({ layer: Drivers.layerMemory() }))),
    { arbitrary: { runs: Math.min(cases(30), 150) }, timeout: 300_000 }
  )
})
