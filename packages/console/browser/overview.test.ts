/** The overview: what was read and reconciled, what is left of the time to read, and the breaks of each day. */
import { assert, describe, it } from "@effect/vitest"
import * as ArchiveError from "@tallystick/archive/ArchiveError"
import * as Runs from "@tallystick/archive/Runs"
import * as Effect from "effect/Effect"
import { at } from "../../archive/test/support/at.ts"
import * as BookDay from "../../archive/test/support/books.ts"
import * as Kept from "../../archive/test/support/decisions.ts"
import { NOW } from "../../archive/test/support/records.ts"
import * as Console from "../test/support/Console.ts"
import * as Browser from "./support/Browser.ts"

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** The coverage of these archives ends five days after this moment, and was read a day later. */
const READ_TO = NOW + 5 * Kept.DAY

const CLOCK = READ_TO + Kept.DAY

describe("the overview", () => {
  it.live("tells what is left of the time to read, what was matched, and of each day how many breaks wait, or that nobody judged it", () =>
    Effect.gen(function*() {
      yield* Console.booked
      yield* BookDay.book(BookDay.options({ from: NOW - 6 * Kept.DAY, to: NOW - 4 * Kept.DAY + Kept.HOUR }))
      const served = yield* Console.atDesk()
      const browser = yield* Browser.launch
      const { complaints, page } = yield* Browser.openPrinted(browser, served)
      const stat = (label: string) => page.locator(".stat").filter({ hasText: label })
      yield* Effect.promise(async () => {
        const days = page.getByRole("figure", { name: "Breaks that wait, by day (UTC)" })
        await days.getByRole("img", { name: "5 breaks in 30 days" }).waitFor()
        await days.getByText("Numbers").click()
        const row = (day: number) => days.getByRole("row", { name: dayOf(day) }).getByRole("cell").allTextContents()
        assert.deepStrictEqual(await row(NOW), ["4", "a part"])
        assert.deepStrictEqual(await row(NOW - 4 * Kept.DAY), ["1", "a part"])
        assert.deepStrictEqual(await row(NOW - 5 * Kept.DAY), ["0", "all of it, but not everything was read"])
        assert.deepStrictEqual(await row(NOW + Kept.DAY), ["–", "nothing"])
        assert.strictEqual(await days.getByRole("row").count(), 31)
        // The browser's clock is years ahead of the console's.
        assert.include(await days.getByRole("row").last().innerText(), dayOf(CLOCK))
        assert.include(await stat("Matched").innerText(), "0 of 1 entry, by execution 2")
      })
      assert.deepStrictEqual(yield* Browser.faults(page), [])
      assert.deepStrictEqual(complaints, [])
    }).pipe(Effect.provide(Console.layer()), at(CLOCK)))

  it.live("tells how long the exchange shows what was not read, and says when it forgets something", () =>
    Effect.gen(function*() {
      yield* Console.booked
      const served = yield* Console.atDesk()
      const browser = yield* Browser.launch
      const { complaints, page } = yield* Browser.openPrinted(browser, served)
      const left = page.locator(".stat").filter({ hasText: "Time left to read" })
      yield* Effect.promise(async () => {
        // Nothing was read for years: the exchange forgets at this moment.
        await left.getByText("the exchange forgets deposits that nobody read").waitFor()
      })
      const value = Effect.fnUntraced(function*(hours: number) {
        const depositHistory = Date.now() - READ_TO + hours * Kept.HOUR
        const opened = yield* Browser.openPrinted(browser, yield* Console.atDesk({ depositHistory }))
        const left = opened.page.locator(".stat").filter({ hasText: "Time left to read" })
        return yield* Effect.promise(async () => {
          // The clock of this machine is wrong by days; the console's counts.
          await opened.page.clock.setFixedTime(Date.now() + 5 * Kept.DAY)
          await opened.page.reload()
          await left.getByText("the exchange shows what is unread until").waitFor()
          return [await left.locator(".value").innerText(), await left.locator(".value.bad").count()]
        })
      })
      const [long, isBad] = yield* value(50)
      assert.match(String(long), /^(?:2 d 1 h|2 d 2 h)/)
      assert.strictEqual(isBad, 0)
      const [short, isWorse] = yield* value(10)
      assert.match(String(short), /^(?:9 h \d+ min|10 h(?: \d+ min)?)$/)
      assert.strictEqual(isWorse, 1)
      assert.deepStrictEqual(complaints, [])
    }).pipe(Effect.provide(Console.layer())))

  it.live("tells all else where the run of the last execution is not as it was recorded, and says so in its place", () =>
    Effect.gen(function*() {
      yield* Console.booked
      const damaged = ArchiveError.ArchiveError.of(
        new ArchiveError.Damaged({ place: "", detail: "the run was edited" })
      )
      const runs = Effect.map(Runs.Runs, (runs) => ({ ...runs, get: () => Effect.fail(damaged) }))
      const served = yield* Effect.provideServiceEffect(Console.atDesk(), Runs.Runs, runs)
      const browser = yield* Browser.launch
      const { page } = yield* Browser.openPrinted(browser, served)
      const stat = (label: string) => page.locator(".stat").filter({ hasText: label })
      yield* Effect.promise(async () => {
        await stat("Matched").getByText("the run was edited").waitFor()
        assert.include(await stat("Matched").innerText(), "not readable")
        assert.include(await stat("Last run").innerText(), "1 run recorded")
        await stat("Read up to").getByText("last reading").waitFor()
      })
    }).pipe(Effect.provide(Console.layer())))
})
