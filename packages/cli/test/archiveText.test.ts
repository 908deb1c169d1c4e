/** What archive check and sync say, where many findings are one. */
import { assert, describe, it } from "@effect/vitest"
import type * as Sync from "@tallystick/archive/Sync"
import type * as Coverage from "@tallystick/core/Coverage"
import * as IntegrityText from "../src/archive/IntegrityText.ts"
import * as SyncText from "../src/archive/SyncText.ts"
import * as ZonedTimes from "../src/text/ZonedTimes.ts"

const DAY = 86_400_000
const NOW = 20_000 * DAY

const UTC = ZonedTimes.make()

const query = (fromAccount: string): Coverage.TransferQuery => ({
  fromAccount,
  fromAccountType: "SPOT",
  toAccountType: "SPOT"
})

const lost = (operation: "deposits" | "transfers", from: number, to: number): Coverage.Coverage => ({
  operation,
  from,
  to,
  readAt: NOW,
  state: "incomplete",
  gap: { code: "damaged", detail: "the archive lost rows" }
})

describe("archive check", () => {
  it("tells a stretch whose coverage does not fit its rows once, of however many queries and days", () => {
    const outdated = [0, 1, 2].flatMap((day) =>
      ["a", "b"].map((name) =>
        Object.assign(lost("transfers", NOW + day * DAY, NOW + (day + 1) * DAY), {
          query: query(name),
          readAt: NOW + day
        })
      )
    )
    const integrity = { structure: [], damages: [], lost: [], runs: { ids: [], lost: 0 } }
    assert.deepStrictEqual(IntegrityText.findings({ ...integrity, outdated }, UTC), [
      "transfers from 2024-10-04 00:00:00 to 2024-10-07 00:00:00 UTC: what is recorded of their completeness does not fit " +
      "the rows: the one or the other is of an earlier time, or was lost"
    ])
  })
})

describe("sync", () => {
  const summary: Sync.Summary = {
    queries: 1,
    queriesDone: 1,
    pages: 1,
    records: 0,
    added: 0,
    changed: 0,
    vanished: 0,
    returned: 0,
    bad: 0,
    completeFrom: NOW - DAY,
    completeTo: NOW,
    holes: [],
    left: 0,
    clockAhead: 0,
    emptied: [],
    withdrawn: [],
    damaged: [],
    gaps: [],
    lost: [],
    deadline: NOW + DAY,
    now: NOW
  }

  it("says that hardly anything is shown again, and how much was shown again after it had vanished", () => {
    assert.deepStrictEqual(SyncText.emptied(summary), [])
    assert.match(SyncText.emptied({ emptied: ["deposits"] })[0] ?? "", /^deposits: hardly any record is shown again/)
    assert.include(SyncText.done({ ...summary, returned: 396 }, UTC), ": 0 added, 396 shown again; complete from ")
  })

  it("tells a day that it repaired once, and those that were repaired before it as the gaps that they are", () => {
    const damaged = [0, 1].map((day) => ({
      operation: "deposits" as const,
      from: NOW + day * DAY,
      to: NOW + (day + 1) * DAY,
      expected: 2,
      found: 1,
      altered: 0
    }))
    const gaps = [
      lost("deposits", NOW + DAY / 2, NOW + 2 * DAY),
      lost("deposits", NOW + 3 * DAY, NOW + 4 * DAY),
      lost("transfers", NOW, NOW + DAY)
    ]
    const [first, second, ...others] = SyncText.gaps({ ...summary, damaged, gaps }, UTC)
    assert.match(first ?? "", /^deposits from 2024-10-04 .* was damaged; .* stays a gap until a backup is restored$/)
    assert.match(second ?? "", /^deposits from 2024-10-05 .* was damaged; /)
    assert.deepStrictEqual(others, [
      "deposits from 2024-10-07 00:00:00 to 2024-10-08 00:00:00 UTC: the archive lost rows",
      "transfers from 2024-10-04 00:00:00 to 2024-10-05 00:00:00 UTC: the archive lost rows"
    ])
    assert.match(
      SyncText.health({ ...summary, damaged, gaps }, UTC, { isDoubtful: true, isAsBefore: false }),
      /^4 gaps: /
    )
  })

  it("calls a round ok only where nothing is missing and nothing in doubt", () => {
    const health = (gaps: Sync.Summary["gaps"], isDoubtful: boolean, isAsBefore: boolean): string =>
      SyncText.health({ ...summary, gaps }, UTC, { isDoubtful, isAsBefore }).replace(/: .*/, "")
    assert.deepStrictEqual([false, true].map((isAsBefore) => health([], false, isAsBefore)), ["ok", "ok"])
    assert.deepStrictEqual([false, true].map((isAsBefore) => health([], true, isAsBefore)), [
      "doubtful",
      "doubtful as before"
    ])
    const gaps = [lost("deposits", NOW, NOW + DAY)]
    assert.deepStrictEqual([false, true].map((isAsBefore) => health(gaps, true, isAsBefore)), [
      "1 gap",
      "1 gap as before"
    ])
  })

  it("tells the gaps of a round by their reason, of however many queries and stretches, in a line", () => {
    const failed = (name: string, day: number, detail: string): Coverage.Coverage => ({
      ...lost("transfers", NOW + day * DAY, NOW + (day + 1) * DAY),
      query: query(name),
      gap: { code: "failed-page", detail }
    })
    const firewall = `HTTP 403: not JSON; the answer begins: <html>\n  <body>${"blocked ".repeat(50)}`
    const names = Array.from({ length: 40 }, (_, index) => `sub${index}`)
    const gaps = names.flatMap((name, index) =>
      [0, 1, 2].map((day) => failed(name, day, index === 7 ? "HTTP 503" : firewall))
    )
    const [first = "", second = "", ...others] = SyncText.gaps({ ...summary, gaps }, UTC)
    assert.match(
      first,
      /^transfers from sub0 .*, from sub1 .*, from sub2 .* and 36 more between 2024-10-04 00:00:00 and 2024-10-07 00:00:00 UTC: HTTP 403/
    )
    assert.isAtMost(first.length, 400)
    assert.notInclude(first, "\n")
    assert.match(second, /^transfers from sub7 .* UTC: HTTP 503$/)
    assert.deepStrictEqual(others, [])
    const many = SyncText.gaps({ ...summary, gaps: names.map((name, index) => failed(name, 0, `page ${index}`)) }, UTC)
    assert.lengthOf(many, 4)
    assert.strictEqual(many.at(-1), "transfers: 37 more reasons, which tallystick archive status names")
  })
})
