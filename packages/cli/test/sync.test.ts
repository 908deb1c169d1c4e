import { assert, it } from "@effect/vitest"
import * as Archive from "@tallystick/archive/Archive"
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import { TestClock } from "effect/testing"
import { writeFileSync } from "node:fs"
import { books, rows, sandbox } from "./support/Books.ts"
import { edit } from "./support/Edit.ts"
import { directory, layerFiles, type Options, tallystick } from "./support/Run.ts"
import * as Service from "./support/Service.ts"

/** What a line of a log begins with, in UTC. */
const STAMP = /^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC /

/** The lines of a log without their times, and without those of progress. */
const linesOf = (stderr: string): ReadonlyArray<string> =>
  stderr.trimEnd().split("\n").map((line) => {
    assert.match(line, STAMP)
    return line.replace(STAMP, "")
  }).filter((line) => !/^(?:deposits|transfers)[^:]*: [\d,]+ of /.test(line))

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

const NOW = Date.UTC(2026, 10, 22, 9)
const HOUR = 3_600_000

const env = {
  TALLYSTICK_BASE_URL: "https://api.example.com",
  TALLYSTICK_API_KEY: "mx0key",
  TALLYSTICK_SECRET_KEY: "secret",
  TALLYSTICK_RETRIES: "0"
}

const deposit = (changes: object = {}) => ({
  amount: "1.5",
  coin: "BTC",
  network: "BTC",
  status: 5,
  address: "bc1q",
  txId: "t1:0",
  unlockConfirm: "2",
  confirmTimes: "2",
  insertTime: NOW - HOUR,
  memo: "",
  ...changes
})

/** What an effect waits for comes: time goes on as long as it runs. */
const inTime = <A, E, R>(effect: Effect.Effect<A, E, R>) => {
  const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))
  return Effect.raceFirst(effect, Effect.forever(Effect.andThen(TestClock.adjust("100 millis"), turn)))
}

/** Against a service of chosen answers, by a clock that runs as fast as it can. */
const against = Effect.fnUntraced(function*(answers: Service.Answers, ...args: ReadonlyArray<string>) {
  return yield* within(yield* directory, answers, args)
})

const within = Effect.fnUntraced(function*(
  { at, noted = Effect.void, put }: Effect.Success<typeof directory> & { readonly noted?: Effect.Effect<void> },
  answers: Service.Answers,
  args: ReadonlyArray<string>,
  options: Pick<Options, "terminal"> = {}
) {
  yield* TestClock.setTime(NOW)
  const accounts = yield* put("accounts.txt", Array.from({ length: 5 }, (_, n) => `sub0000${n + 1}\n`).join(""))
  return yield* tallystick(["sync", "--accounts", accounts, "--archive-file", at("books.db"), ...args], {
    env,
    ...options
  }).pipe(
    Effect.provideService(HttpClient.HttpClient, HttpClient.tapRequest(Service.make(answers).client, () => noted)),
    inTime
  )
})

/** What a service would list of deposits. */
const listed = (url: URL, records: ReadonlyArray<{ readonly insertTime: number }>): Response => {
  const [page, start, end] = ["page", "startTime", "endTime"].map((name) => Number(url.searchParams.get(name) ?? 1))
  const isAsked = ({ insertTime }: { readonly insertTime: number }) =>
    insertTime >= (start ?? 0) && insertTime <= (end ?? 0)
  return Response.json(page === 1 ? records.filter(isAsked) : [])
}

const page = (...records: ReadonlyArray<{ readonly insertTime: number }>): Service.Answer => (url) =>
  listed(url, records)

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
      assert.match(right.stderr, /: called complete while the exchange's clock ran ahead; taken back, and read again/)
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

  it.effect("watches: a line a round, a failed round is tried again, and it says when it is stopped", () =>
    Effect.gen(function*() {
      /** The first round is answered, the second is refused, the third finds no page, the fourth is the last. */
      const rounds = (): Service.Answers => {
        let round = 0
        let isBetween = true
        return {
          deposits: (url) => {
            if (isBetween) round++
            isBetween = round === 2
            if (round === 2) return Response.json({ code: 700002, msg: "no" }, { status: 401 })
            if (round === 3) return new Response("", { status: 503 })
            return round > 4 ? Effect.interrupt : listed(url, [deposit()])
          },
          transfers: (url) => {
            isBetween = true
            return listed(url, [])
          }
        }
      }
      const watching = ["--since", "2h", "--watch", "--every", "1m"]
      const { exitCode, stderr } = yield* against(rounds(), ...watching)
      const [first, second, third, gap, fourth, last, ...others] = linesOf(stderr)
      assert.match(
        first ?? "",
        /^ok: 1 added; complete from 2026-11-.* to 2026-11-22 .* UTC; 72.0 hours left$/
      )
      assert.match(
        second ?? "",
        /^failed: .*the signature was refused.*; tried again in 1 min$/
      )
      assert.match(
        third ?? "",
        /^1 gap: 0 added; complete from 2026-11-.* to 2026-11-22 .* UTC; 7[12].\d hours left$/
      )
      // What could not be read again has the same cause as what was not read before.
      assert.match(gap ?? "", /^deposits between .* UTC: .* 503/)
      assert.match(
        fourth ?? "",
        /^ok: 0 added; complete from 2026-11-.* to 2026-11-22 .* UTC; 72.0 hours left$/
      )
      assert.strictEqual(last, "stopped")
      assert.deepStrictEqual(others, [])
      assert.notStrictEqual(exitCode, 0)

      const quiet = yield* against(rounds(), ...watching, "--quiet")
      const said = linesOf(quiet.stderr).map((line) => line.replaceAll(/2026[-\d :.]*/g, "").slice(0, 20))
      assert.deepStrictEqual(
        said,
        [second, third, gap].map((line) => (line ?? "").replaceAll(/2026[-\d :.]*/g, "").slice(0, 20))
      )
    }))

  it.effect("reads the files of accounts and addresses again before each round, and keeps to the former ones if they are wrong", () =>
    Effect.gen(function*() {
      const { at } = yield* directory
      const [accounts, addresses] = [at("accounts.txt"), at("addresses.csv")]
      writeFileSync(accounts, "sub00001\nsub00002\n")
      writeFileSync(addresses, "address,account\nbc1q,sub00001\n")
      /** What stands in the file of accounts from each round on. */
      const texts = ["", "sub00002\nsub00003\n", "sub00003 \n", "sub00003 \n", "", "sub00003\n"]
      const rounds: Array<Set<string>> = []
      let isBetween = true
      const { client } = Service.make({
        deposits: (url) => {
          if (isBetween) {
            rounds.push(new Set())
            const text = texts[rounds.length]
            if (text === undefined) return Effect.interrupt
            if (rounds.length < 6) writeFileSync(accounts, text)
          }
          isBetween = false
          return listed(url, [])
        },
        transfers: (url) => {
          isBetween = true
          for (const side of ["fromAccount", "toAccount"]) {
            const name = url.searchParams.get(side)
            if (name !== null && name !== "master") rounds.at(-1)?.add(name)
          }
          return listed(url, [])
        }
      })
      yield* TestClock.setTime(NOW)
      const files = ["--accounts", accounts, "--addresses", addresses, "--archive-file", at("books.db")]
      const { stderr } = yield* tallystick(["sync", "--since", "2h", "--watch", "--every", "1m", ...files], { env })
        .pipe(
          Effect.provideService(HttpClient.HttpClient, client),
          inTime
        )
      assert.deepStrictEqual(rounds.map((names) => Array.from(names).toSorted()), [
        ["sub00001", "sub00002"],
        ["sub00002", "sub00003"],
        ["sub00002", "sub00003"],
        ["sub00002", "sub00003"],
        ["sub00002", "sub00003"],
        []
      ])
      const words = linesOf(stderr).map((line) => line.replaceAll(accounts, "FILE"))
      assert.deepStrictEqual(words.filter((line) => !line.startsWith("ok: ")), [
        "1 account is new in the list: sub00003",
        "1 account is no longer in the list, and not read any more: sub00001",
        "FILE, line 1: the name of an account begins or ends with a blank: \"sub00003 \"; write it as the exchange does; " +
        "the accounts stay as they were",
        "the list of accounts names nobody now; the accounts stay as they were",
        "1 account is no longer in the list, and not read any more: sub00002",
        "stopped"
      ])
    }))

  it.effect("watches on where the list of sub-accounts is not offered after the first round", () =>
    Effect.gen(function*() {
      let asked = 0
      const { client } = Service.make({
        accounts: () => {
          asked++
          if (asked === 1) return new Response("", { status: 503 })
          return asked === 2 ? Service.html(404)(new URL("https://api.example.com")) : Effect.interrupt
        }
      })
      yield* TestClock.setTime(NOW)
      const { at } = yield* directory
      const args = ["sync", "--accounts", "service", "--archive-file", at("books.db"), "--watch", "--every", "1m"]
      const { stderr } = yield* tallystick(args, { env }).pipe(
        Effect.provideService(HttpClient.HttpClient, client),
        inTime
      )
      const lines = linesOf(stderr).filter((line) => line.includes("list of sub-accounts is not proven complete"))
      assert.match(lines[0] ?? "", /HTTP 503/)
      assert.match(lines[1] ?? "", /the exchange does not offer this/)
      assert.strictEqual(linesOf(stderr).at(-1), "stopped")
    }))
})
