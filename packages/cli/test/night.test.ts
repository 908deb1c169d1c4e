/** A night of faults, in virtual time: what an operator of `sync --watch` finds in the log in the morning. */
import { assert, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import { TestClock } from "effect/testing"
import { directory, layerFiles, tallystick } from "./support/Run.ts"
import * as Service from "./support/Service.ts"

const NOW = Date.UTC(2026, 10, 22, 20)
const HOUR = 3_600_000

/** So many accounts are read in turn. */
const ACCOUNTS = 110

const env = {
  TALLYSTICK_BASE_URL: "https://api.example.com",
  TALLYSTICK_API_KEY: "mx0key",
  TALLYSTICK_SECRET_KEY: "secret",
  TALLYSTICK_RATE: "1000"
}

/**
 * The service is gone for three hours, a firewall answers for one, and the key is refused for half of one; times are ms from the
 * first request on.
 */
const faults: ReadonlyArray<{ readonly from: number; readonly to: number; readonly answer: Service.Answer }> = [
  { from: 1 * HOUR, to: 4 * HOUR, answer: Service.broken("ECONNREFUSED") },
  { from: 5 * HOUR, to: 6 * HOUR, answer: Service.html(403) },
  { from: 7 * HOUR, to: 7.5 * HOUR, answer: Service.refusal(10_072, 401) }
]

const LENGTH = 10 * HOUR

/** Makes the answers of a night that begins with its first request. */
const night = () => {
  let begin: number | undefined
  return (usual: Service.Answer): Service.Answer => (url) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      begin ??= now
      const time = now - begin
      if (time >= LENGTH) return Effect.interrupt
      const response = (faults.find(({ from, to }) => from <= time && time < to)?.answer ?? usual)(url)
      return Effect.isEffect(response) ? response : Effect.succeed(response)
    })
}

/** Time goes on as long as the effect runs, in steps that are short enough for every wait of a round. */
const inTime = <A, E, R>(effect: Effect.Effect<A, E, R>) => {
  const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))
  return Effect.raceFirst(effect, Effect.forever(Effect.andThen(TestClock.adjust("250 millis"), turn)))
}

const PROGRESS = /(?:deposits|transfers)[^:]*: [\d,]+ (?:pages?|of)/

it.layer(layerFiles)("the log of a night", (it) => {
  it.effect(
    "has a line a round, and tells a fault in full when it comes and once an hour while it goes on",
    () =>
      Effect.gen(function*() {
        yield* TestClock.setTime(NOW)
        const { at, put } = yield* directory
        const names = Array.from({ length: ACCOUNTS }, (_, index) => `sub${String(index).padStart(5, "0")}`)
        const accounts = yield* put("accounts.txt", names.join("\n"))
        const answering = night()
        const { client } = Service.make({
          time: answering(Service.timeAhead(0)),
          deposits: answering(Service.json([])),
          transfers: answering(Service.json([]))
        })
        const args = ["sync", "--accounts", accounts, "--archive-file", at("books.db"), "--watch", "--every", "10m"]
        const { stderr } = yield* tallystick(args, { env }).pipe(
          Effect.provideService(HttpClient.HttpClient, client),
          inTime
        )
        const lines = stderr.trimEnd().split("\n")
        const those = (words: RegExp) => lines.filter((line) => words.test(line))
        const rounds = those(/ UTC (?:ok|failed|\d+ gaps?)/)
        // Time goes on while the disk writes: on a busy machine rounds last longer, and fewer of the sixty fit into the night.
        assert.isAbove(rounds.length, 30)
        assert.lengthOf(those(/: The service does not answer /), 2)
        assert.lengthOf(those(/: The service answers again/), 2)
        // In three hours a fault is told four times, of each operation; a warning tells it first.
        for (const [cause, most] of [[/ECONNREFUSED/, 9], [/HTTP 403/, 5]] as const) {
          assert.isAbove(those(cause).length, 2)
          assert.isAtMost(those(cause).length, most)
        }
        assert.lengthOf(those(/the API key is unknown/), 1)
        assert.isAtLeast(those(/failed as before; tried again in 10 min$/).length, 1)
        assert.isAtLeast(those(/2 gaps as before: /).length, 9)
        const first = lines.findIndex((line) => / UTC ok: /.test(line))
        assert.deepStrictEqual(lines.slice(first).filter((line) => PROGRESS.test(line)), [])
        assert.isAtMost(lines.length, rounds.length + 25)
      }),
    120_000
  )
})
