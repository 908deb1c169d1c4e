/** A round of sync against a service of chosen answers, by a clock that runs as fast as it can. */
import { assert } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import { TestClock } from "effect/testing"
import { directory, type Options, tallystick } from "./Run.ts"
import * as Service from "./Service.ts"

/** What a line of a log begins with, in UTC. */
export const STAMP = /^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC /

/** The lines of a log without their times, and without those of progress. */
export const linesOf = (stderr: string): ReadonlyArray<string> =>
  stderr.trimEnd().split("\n").map((line) => {
    assert.match(line, STAMP)
    return line.replace(STAMP, "")
  }).filter((line) => !/^(?:deposits|transfers)[^:]*: [\d,]+ of /.test(line))

export const NOW = Date.UTC(2026, 10, 22, 9)
export const HOUR = 3_600_000

export const env = {
  TALLYSTICK_BASE_URL: "https://api.example.com",
  TALLYSTICK_API_KEY: "mx0key",
  TALLYSTICK_SECRET_KEY: "secret",
  TALLYSTICK_RETRIES: "0"
}

export const deposit = (changes: object = {}) => ({
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

/** What an effect waits for comes: time goes on as long as it runs, and stands still until `from` has ended. */
export const inTime = <A, E, R>(effect: Effect.Effect<A, E, R>, from: Effect.Effect<void> = Effect.void) => {
  const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))
  const passing = Effect.forever(Effect.andThen(TestClock.adjust("100 millis"), turn))
  return Effect.raceFirst(effect, Effect.andThen(from, passing))
}

/** Against a service of chosen answers, by a clock that runs as fast as it can. */
export const against = Effect.fnUntraced(function*(answers: Service.Answers, ...args: ReadonlyArray<string>) {
  return yield* within(yield* directory, answers, args)
})

export const within = Effect.fnUntraced(function*(
  { at, noted = Effect.void, put }: Effect.Success<typeof directory> & { readonly noted?: Effect.Effect<void> },
  answers: Service.Answers,
  args: ReadonlyArray<string>,
  options: Pick<Options, "terminal"> = {}
) {
  // A command after another one runs later: a clock that went back would be told of as one that had run ahead.
  if ((yield* Clock.currentTimeMillis) < NOW) yield* TestClock.setTime(NOW)
  // A command that is still loaded would see hours pass before it asks for the last two.
  const asked = yield* Deferred.make<void>()
  const sent = Effect.andThen(Deferred.succeed(asked, undefined), noted)
  const accounts = yield* put("accounts.txt", Array.from({ length: 5 }, (_, n) => `sub0000${n + 1}\n`).join(""))
  return yield* tallystick(["sync", "--accounts", accounts, "--archive-file", at("books.db"), ...args], {
    env,
    ...options
  }).pipe(
    Effect.provideService(HttpClient.HttpClient, HttpClient.tapRequest(Service.make(answers).client, () => sent)),
    (command) => inTime(command, Deferred.await(asked))
  )
})

/** What a service would list of deposits. */
export const listed = (url: URL, records: ReadonlyArray<{ readonly insertTime: number }>): Response => {
  const [page, start, end] = ["page", "startTime", "endTime"].map((name) => Number(url.searchParams.get(name) ?? 1))
  const isAsked = ({ insertTime }: { readonly insertTime: number }) =>
    insertTime >= (start ?? 0) && insertTime <= (end ?? 0)
  return Response.json(page === 1 ? records.filter(isAsked) : [])
}

export const page = (...records: ReadonlyArray<{ readonly insertTime: number }>): Service.Answer => (url) =>
  listed(url, records)
