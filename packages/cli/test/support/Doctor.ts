/** Runs `tallystick doctor` against a service of chosen answers. */
import { assert } from "@effect/vitest"
import * as Check from "@tallystick/cli/doctor/Check"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Schema from "effect/Schema"
import { TestClock } from "effect/testing"
import { type Options, tallystick } from "./Run.ts"
import * as Service from "./Service.ts"

export const NOW = Date.UTC(2026, 10, 19, 8)
export const KEY = "mx0RECOGNISABLEKEY42"
export const SECRET = "recognisable-secret-0123456789abcdef"

export const env = {
  TALLYSTICK_BASE_URL: "https://api.example.com/spot",
  TALLYSTICK_API_KEY: KEY,
  TALLYSTICK_SECRET_KEY: SECRET
}

export const decode = Schema.decodeEffect(Schema.fromJsonString(Check.Checks))

/** Runs doctor against these answers; neither key nor secret may show anywhere. */
export const doctor = Effect.fnUntraced(function*(
  answers: Service.Answers,
  args: ReadonlyArray<string> = [],
  options: Options = {}
) {
  yield* TestClock.setTime(NOW)
  const service = Service.make(answers)
  const result = yield* tallystick(["doctor", "--format", "json", ...args], { env, ...options }).pipe(
    Effect.provideService(HttpClient.HttpClient, service.client)
  )
  assert.notInclude(result.stdout + result.stderr, SECRET)
  assert.notInclude(result.stdout + result.stderr, KEY)
  const checks = yield* decode(result.stdout)
  const of = (what: Check.What) => checks.filter((check) => check.what === what)
  const one = (what: Check.What): Check.Check => {
    const [first] = of(what)
    assert(first !== undefined, `${what} is not among the checks`)
    return first
  }
  return { ...result, checks, of, one, seen: service.seen, urls: service.urls }
})

/** `failed … finding … advice` */
export const line = ({ advice = "", finding, status }: Check.Check): string => `${status}: ${finding} > ${advice}`
