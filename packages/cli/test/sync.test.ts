import { assert, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { books, rows, sandbox } from "./support/Books.ts"
import { edit } from "./support/Edit.ts"
import { directory, layerFiles } from "./support/Run.ts"
import * as Service from "./support/Service.ts"
import { against, deposit, linesOf, listed, page, STAMP, within } from "./support/SyncRound.ts"

it.layer(sandbox, { excludeTestServices: true })("tallystick sync", (it) => {
  it.effect("keeps everything that the service shows, and says what is complete and how long there is time", () =>
    Effect.gen(function*() {
      const { history, mode, run, sync } = yield* books
      const first = yield* run([...sync, "--since", "71h"])
      assert.strictEqual(first.exitCode, 0, first.stderr)
      assert.strictEqual(first.stdout, "")
      const [done, deadline, ...others] = linesOf(first.stderr)
      assert.match(
        done ?? "",
        /^[\d,]+ records in [\d,]+ pages: \d+ added; complete from 20[-\d]+ [:.\d]+ to 20[-\d]+ [:.\d]+ UTC$/
      )
      assert.match(
        deadline ?? "",
        /^the service forgets the first unread deposit in (?:71\.9|72\.0) hours \(20[-\d]+ [:\d]+ UTC\)$/
      )
      assert.deepStrictEqual(others, [])
      assert.strictEqual(yield* mode("books.db"), 0o600)

      const deposits = rows((yield* run(["export", "--side", "deposits"])).stdout)
      const printed = rows((yield* run(["deposits", "--since", "71h"])).stdout)
      assert.strictEqual(deposits.length, history.deposits.length)
      assert.deepStrictEqual(deposits, printed)

      const again = yield* run(sync)
      assert.strictEqual(again.exitCode, 0, again.stderr)
      assert.match(again.stderr, /: 0 added; complete from /)
    }))

  it.effect("exits with 3 and names what the service had forgotten when a first moment is asked for", () =>
    Effect.gen(function*() {
      const { run, sync } = yield* books
      const result = yield* run([...sync, "--since", "95h"])
      assert.strictEqual(result.exitCode, 3, result.stderr)
      const [, heading, gap] = linesOf(result.stderr)
      assert.strictEqual(heading, "tallystick: not proven complete:")
      assert.match(gap ?? "", /^deposits from .* UTC: older than the 72 hours/)
    }))

  it.effect("refuses the archive of another master before it asks for a record", () =>
    Effect.gen(function*() {
      const { run, sync } = yield* books
      assert.strictEqual((yield* run([...sync, "--since", "1h"])).exitCode, 0)
      const { exchange } = yield* Sandbox.Sandbox
      const before = (yield* exchange.requests).length
      const other = yield* run(sync, { env: { TALLYSTICK_API_KEY: "mx0ANOTHERKEY" } })
      assert.strictEqual(other.exitCode, 2)
      assert.include(other.stderr, "tallystick archive trust")
      assert.notInclude(other.stderr, "mx0ANOTHERKEY")
      assert.strictEqual((yield* exchange.requests).length, before)
    }))

  it.effect("refuses what makes no sense, and asks for the sub-accounts first", () =>
    Effect.gen(function*() {
      const { names, put, run, sync } = yield* books
      for (
        const [args, told] of [
          [["sync"], "--accounts FILE or --addresses FILE"],
          [[...sync, "--every", "5m"], "give --watch with it"],
          [[...sync, "--watch", "--every", "soon"], "--every: \"soon\" is no length of time"],
          [[...sync, "--watch", "--every", "0s"], "at least a second"],
          [[...sync, "--since", "never"], "--since: \"never\" is neither a time nor a length of time"],
          [[...sync, "--since", "0d"], "--since: \"0d\" is now or later"],
          [[...sync, "--since", "2090-01-01"], "--since: \"2090-01-01\" is now or later"]
        ] as const
      ) {
        const { exitCode, stderr } = yield* run(args)
        assert.strictEqual(exitCode, 2, stderr)
        assert.include(stderr, told)
      }
      assert.notInclude(yield* names, "books.db")
      const file = yield* put("letter.txt", "no database".repeat(300))
      const foreign = yield* run([...sync, "--watch", "--archive-file", file])
      assert.strictEqual(foreign.exitCode, 2)
      assert.include(foreign.stderr, "is no archive of Tallystick")
    }))

  it.effect("exits with 3 while somebody else holds the archive, and says who", () =>
    Effect.gen(function*() {
      const { at, run, sync } = yield* books
      const layer = Archive.Archive.layerSqlite({ file: at("books.db") })
      const held = yield* Effect.gen(function*() {
        const archive = yield* Archive.Archive
        yield* archive.exclusive("import")
        return [yield* run(sync), yield* run([...sync, "--watch"])]
      }).pipe(Effect.scoped, Effect.provide(layer))
      for (const { exitCode, stderr } of held) {
        assert.strictEqual(exitCode, 3, stderr)
        assert.match(stderr, /is in use: import, process \d+ on /)
      }
      assert.strictEqual((yield* run([...sync, "--since", "1h"])).exitCode, 0)
    }))
})

it.layer(layerFiles)("tallystick sync against a service of its own kind", (it) => {
  it.effect("keeps records that cannot be read as they came, and exits with 1", () =>
    Effect.gen(function*() {
      const result = yield* against({ deposits: page(deposit(), deposit({ amount: "1e3" })) }, "--since", "2h")
      assert.strictEqual(result.exitCode, 1, result.stderr)
      assert.match(result.stderr, /: 1 added, 1 could not be read; complete from 2026-11-.* to 2026-11-22 08:5\d/)
      assert.match(result.stderr, /tallystick: 1 record could not be read, kept/)
    }))

  it.effect("exits with 3 and says what the service said when it cannot be read", () =>
    Effect.gen(function*() {
      const result = yield* against({ deposits: Service.json({ code: 700007, msg: "no" }, 403) }, "--since", "2h")
      assert.strictEqual(result.exitCode, 3, result.stderr)
      assert.include(result.stderr, "SPOT_DEPOSIT_READ")
    }))

  it.effect("names the account that the exchange refuses to show, reads the others, and exits with 3", () =>
    Effect.gen(function*() {
      for (
        const [code, status] of [[700004, 400], [730600, 400], [700008, 400], [700007, 403], [730001, 400]] as const
      ) {
        const asked = new Set<string | null>()
        const transfers: Service.Answer = (url) => {
          const account = url.searchParams.get("fromAccount")
          asked.add(account)
          return account === "sub00003" ? Service.refusal(code, status)(url) : listed(url, [])
        }
        const { exitCode, stderr } = yield* against({ deposits: page(deposit()), transfers }, "--since", "2h")
        assert.strictEqual(exitCode, 3, stderr)
        assert.strictEqual(asked.size, 5)
        const [done, heading, gap, deadline, ...others] = linesOf(stderr)
        assert.match(done ?? "", /: 1 added; not everything that was asked for is complete at any time$/)
        assert.strictEqual(heading, "tallystick: not proven complete:")
        assert.match(gap ?? "", /^transfers from sub00003 to master \(SPOT to SPOT\) from 2026-.* UTC: /)
        assert.include(gap ?? "", `UTC: the exchange refuses to show it (the service said ${code}: said ${code})`)
        assert.strictEqual(gap?.includes("SPOT_TRANSFER_READ"), code === 700007)
        assert.notInclude(gap ?? "", "the key")
        assert.match(deadline ?? "", /^the service forgets/)
        assert.deepStrictEqual(others, [])
      }
    }))

  it.effect("gives up where the exchange refuses every account, and says why", () =>
    Effect.gen(function*() {
      let asked = 0
      const transfers: Service.Answer = (url) => {
        asked++
        return Service.refusal(700007, 403)(url)
      }
      const { exitCode, stderr } = yield* against({ deposits: page(deposit()), transfers }, "--since", "2h")
      assert.strictEqual(exitCode, 3, stderr)
      assert.strictEqual(asked, 5)
      assert.include(stderr, "the key may not do this")
      assert.include(stderr, "SPOT_TRANSFER_READ")
    }))

  it.effect("keeps to its share of the rate, and refuses what is none", () =>
    Effect.gen(function*() {
      const times: Array<number> = []
      const noted = Effect.map(Clock.currentTimeMillis, (now) => void times.push(now))
      const empty: Service.Answer = () => Response.json([])
      /** The shortest time between two requests, ms. */
      const shortest = Effect.fnUntraced(function*(...args: ReadonlyArray<string>) {
        times.length = 0
        const place = yield* directory
        const { exitCode, stderr } = yield* within(
          { ...place, noted },
          { deposits: empty, transfers: empty },
          ["--since", "2h", ...args]
        )
        assert.strictEqual(exitCode, 0, stderr)
        assert.isAtLeast(times.length, 7)
        return Math.min(...times.slice(1).map((time, index) => time - (times[index] ?? 0)))
      })
      assert.isBelow(yield* shortest(), 1000)
      // One of 20 requests a second.
      assert.isAtLeast(yield* shortest("--budget", "5%"), 1000)
      for (const wrong of ["0%", "101%", "50", "half", ""]) {
        const refused = yield* against({}, "--budget", wrong)
        assert.strictEqual(refused.exitCode, 2)
        assert.include(refused.stderr, "wanted: a share of the rate from 1% to 100%, such as 50%")
      }
    }))

  it.effect("says at once that nothing answers, and what many accounts miss for one reason in one line", () =>
    Effect.gen(function*() {
      const down: Service.Answer = () => new Response("", { status: 503 })
      const { exitCode, stderr } = yield* against({ deposits: down, transfers: down }, "--since", "2h")
      assert.strictEqual(exitCode, 3, stderr)
      const [early, breaker, done, heading, deposits, transfers, deadline, ...others] = linesOf(stderr)
      assert.match(early ?? "", /^warning: subAccountDeposits: .*503.*; the round goes on$/)
      assert.match(breaker ?? "", /^warning: The service does not answer \(HTTP 503\)\. Only single requests are sent/)
      assert.match(done ?? "", /^0 records in 0 pages: 0 added; not everything/)
      assert.strictEqual(heading, "tallystick: not proven complete:")
      assert.match(deposits ?? "", /^deposits from 2026-11-22 .* UTC: .*503/)
      assert.match(
        transfers ?? "",
        /^transfers from sub00001 to master .*, from sub00002 to master .*, from sub00003 .* and 2 more from 2026-.* UTC: .*503/
      )
      assert.match(deadline ?? "", /^the service forgets|^the service is forgetting/)
      assert.deepStrictEqual(others, [])
    }))

  it.effect("begins each line of a log with its time, and tells every time in the zone that was asked for", () =>
    Effect.gen(function*() {
      const folder = yield* directory
      const down: Service.Answer = () => new Response("", { status: 503 })
      const once = yield* within(folder, { deposits: down }, ["--since", "2h", "--zone", "Europe/Berlin"])
      assert.strictEqual(once.exitCode, 3, once.stderr)
      const watched = yield* within(folder, { deposits: () => Effect.interrupt }, [
        "--watch",
        "--zone",
        "Asia/Kolkata"
      ])
      for (const [stderr, offset] of [[once.stderr, "+01:00"], [watched.stderr, "+05:30"]] as const) {
        const lines = stderr.trimEnd().split("\n")
        const begin = /^2026-11-22 \d\d:\d\d:\d\d([+-]\d\d:\d\d) \S/
        for (const line of lines) {
          assert.strictEqual(begin.exec(line)?.[1], offset, line)
          assert.notInclude(line, "UTC")
          for (const time of line.match(/\d\d:\d\d(?::\d\d(?:\.\d+)?)?[+-]\d\d:\d\d/g) ?? []) {
            assert.include(time, offset)
          }
        }
      }
      assert.match(once.stderr, / warning: subAccountDeposits: /)
      assert.match(once.stderr, / tallystick: not proven complete:\n/)
    }))

  it.effect("warns of an exchange whose clock is ahead, calls nothing of that time complete, and ends with 1", () =>
    Effect.gen(function*() {
      const folder = yield* directory
      const answers = { deposits: page(), transfers: page() }
      const wrong = { ...answers, time: Service.timeAhead(3 * 3_600_000) }
      for (const flags of [[], ["--quiet"]]) {
        const { exitCode, stderr } = yield* within(folder, wrong, ["--since", "6h", ...flags])
        assert.strictEqual(exitCode, 1, stderr)
        assert.match(
          stderr,
          /the exchange's clock is (?:3 h|2 h 59 min)[^,]* ahead of this machine's, and one of them is wrong/
        )
      }
      const right = yield* within(folder, answers, [])
      assert.strictEqual(right.exitCode, 1, right.stderr)
      assert.match(right.stderr, /: called complete while a clock ran ahead; taken back, and read again/)
      const again = yield* within(folder, answers, [])
      assert.strictEqual(again.exitCode, 0, again.stderr)
      assert.notInclude(again.stderr, "clock")
    }))

  it.effect("leaves the times to a person at a terminal, unless it watches", () =>
    Effect.gen(function*() {
      const folder = yield* directory
      const answers = { deposits: page(deposit()), transfers: page() }
      const once = yield* within(folder, answers, ["--since", "2h"], { terminal: true })
      assert.match(once.stderr, /^\d+ records? in \d+ pages: 1 added/)
      const watching = { ...answers, deposits: () => Effect.interrupt }
      const watched = yield* within(folder, watching, ["--watch"], { terminal: true })
      for (const line of watched.stderr.trimEnd().split("\n")) assert.match(line, STAMP)
    }))

  it.effect("says before it reads that the archive lost what it knew of the service, which takes many more requests", () =>
    Effect.gen(function*() {
      const folder = yield* directory
      const answers = { deposits: page(deposit()), transfers: page() }
      const first = yield* within(folder, answers, ["--since", "2h"])
      assert.strictEqual(first.exitCode, 0, first.stderr)
      assert.notInclude(first.stderr, "are not believed")
      edit(folder.at("books.db"), "DELETE FROM learnt")
      const refused = { deposits: Service.json({ code: 700002, msg: "no" }, 401) }
      const second = yield* within(folder, refused, ["--since", "2h"])
      assert.notStrictEqual(second.exitCode, 0, second.stderr)
      assert.strictEqual(
        linesOf(second.stderr)[0],
        "the service's lists of deposits and transfers are not believed, because the archive lost what it knew of them: " +
          "this round reads them by agreement, with many more requests"
      )
    }))
})
