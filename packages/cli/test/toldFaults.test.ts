import { assert, describe, it } from "@effect/vitest"
import * as GapCause from "../src/archive/GapCause.ts"
import * as ToldFaults from "../src/archive/ToldFaults.ts"

const MINUTE = 60_000

describe("a fault that a watch tells", () => {
  it("is news when it comes, once an hour while it goes on, and when it comes again", () => {
    const isNews = ToldFaults.make()
    const told = Array.from({ length: 13 }, (_, round) => isNews(["deposits: down"], round * 10 * MINUTE))
    assert.deepStrictEqual(told.map((news, round) => news ? round : -1).filter((round) => round >= 0), [0, 6, 12])
    isNews([], 125 * MINUTE)
    assert.isTrue(isNews(["deposits: down"], 126 * MINUTE))
  })

  it("is news where the clock was set back, and then once an hour by the clock as it is", () => {
    const isNews = ToldFaults.make()
    const told = [240, 0.2, 0.9, 1.3, 2.2, 2.4].map((hours) => isNews(["deposits: down"], hours * 60 * MINUTE))
    assert.deepStrictEqual(told, [true, true, false, true, false, true])
    assert.isFalse(isNews(["deposits: down"], 2 * 60 * MINUTE))
  })

  it("is no news where others have gone, and the others are when they come for the first time", () => {
    const isNews = ToldFaults.make()
    assert.isTrue(isNews(["deposits: down", "transfers: down"], 0))
    assert.isFalse(isNews(["deposits: down"], MINUTE))
    assert.isFalse(isNews(["transfers: down", "deposits: down"], 2 * MINUTE))
    assert.isTrue(isNews(["deposits: down", "transfers: HTTP 403"], 3 * MINUTE))
    assert.isTrue(isNews(["the key is refused"], 4 * MINUTE))
    assert.isTrue(isNews(["deposits: down"], 5 * MINUTE))
  })

  it("has one cause, however often a list was asked, and whether it was asked at all", () => {
    const down = "the connection failed (ECONNREFUSED): connect ECONNREFUSED 127.0.0.1:9"
    const again = "it is complete as it was read before, but reading it again proved nothing: "
    for (
      const detail of [
        `subAccountDeposits: no usable answer after 1 attempt: ${down}`,
        `universalTransfers: no usable answer after 6 attempts: ${down}`,
        `universalTransfers: the service was not asked, because the requests before failed: ${down}`,
        `${again}universalTransfers: the service was not asked, because the requests before failed: ${down}`
      ]
    ) {
      assert.strictEqual(GapCause.of(detail), down)
    }
    const page = "HTTP 403: an error that is not the service's JSON (a firewall or proxy?)"
    assert.strictEqual(GapCause.of(`${again}subAccountDeposits: ${page}; the answer begins: <html>a: b</html>`), page)
    for (const detail of ["page 3 repeats page 2", "7 records around 12 (Unix ms) fill a response", ""]) {
      assert.strictEqual(GapCause.of(detail), detail)
    }
  })
})
