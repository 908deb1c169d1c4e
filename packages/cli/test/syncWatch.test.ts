/** `sync --watch`: what it says of each round, and what it reads again before one. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import { TestClock } from "effect/testing"
import { writeFileSync } from "node:fs"
import { directory, layerFiles, tallystick } from "./support/Run.ts"
import * as Service from "./support/Service.ts"
import { against, deposit, env, HOUR, inTime, linesOf, listed, NOW } from "./support/SyncRound.ts"

it.layer(layerFiles)("tallystick sync --watch", (it) => {
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
      const first = linesOf(stderr).filter((line) => line.includes("; 72.0 hours left"))
      assert.deepStrictEqual(first.map((line) => line.replace(/: .*/, "")), ["doubtful", "doubtful"])
      assert.strictEqual(linesOf(stderr).at(-1), "stopped")
    }))

  it.effect("calls no round ok whose list of accounts was not read, or whose exchange has a wrong clock", () =>
    Effect.gen(function*() {
      /** Three rounds: the list of accounts is the first thing that each asks for. */
      const unlisted = (): Service.Answers => {
        let rounds = 0
        return { accounts: () => ++rounds > 3 ? Effect.interrupt : new Response("", { status: 503 }) }
      }
      /** Three rounds: deposits are the first thing that each asks for, and transfers the last. */
      const wrong = (): Service.Answers => {
        let rounds = 0
        let isBetween = true
        return {
          time: Service.timeAhead(3 * HOUR),
          deposits: (url) => {
            if (isBetween) rounds++
            isBetween = false
            return rounds > 3 ? Effect.interrupt : listed(url, [])
          },
          transfers: (url) => {
            isBetween = true
            return listed(url, [])
          }
        }
      }
      for (const [answers, list] of [[unlisted(), "service"], [wrong(), "accounts.txt"]] as const) {
        yield* TestClock.setTime(NOW)
        const { at, put } = yield* directory
        const accounts = list === "service" ? list : yield* put(list, "sub00001\n")
        const args = ["--accounts", accounts, "--archive-file", at("books.db"), "--watch", "--every", "1m"]
        const { stderr } = yield* tallystick(["sync", "--since", "2h", ...args], { env }).pipe(
          Effect.provideService(HttpClient.HttpClient, Service.make(answers).client),
          inTime
        )
        const rounds = linesOf(stderr).filter((line) => line.endsWith(" hours left"))
        assert.deepStrictEqual(rounds.map((line) => line.replace(/: .*/, "")), [
          "doubtful",
          "doubtful as before",
          "doubtful as before"
        ])
      }
    }))
})
