/** What `keys create` says of a key whose answer was lost. */
import { assert, describe, it } from "@effect/vitest"
import type * as Faults from "@tallystick/sandbox/Faults"
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import { layerFiles, tallystick } from "./support/Run.ts"
import * as Service from "./support/Service.ts"

const run = Effect.fnUntraced(function*(args: ReadonlyArray<string>) {
  const { environment } = yield* Sandbox.Sandbox
  return yield* tallystick(args, { env: { ...environment(), TALLYSTICK_RETRIES: "0" } })
})

const listing = (faults: Faults.Faults) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.provide(
    effect,
    Layer.merge(
      layerFiles,
      Sandbox.Sandbox.layerInProcess({
        history: { seed: 7, deposits: 60, subAccounts: 7 },
        rules: { rate: null },
        faults
      })
    )
  )

describe("a key whose answer was lost", () => {
  const create = ["keys", "create", "--sub-account", "sub00001", "--permissions", "SPOT_DEAL_READ", "--show-secret"]

  const lost = (keys: Service.Answer) =>
    Effect.gen(function*() {
      const service = Service.make({ create: Service.json({}, 502), keys })
      const env = {
        TALLYSTICK_BASE_URL: "https://api.example.com",
        TALLYSTICK_API_KEY: "mx0key",
        TALLYSTICK_SECRET_KEY: "secret",
        TALLYSTICK_RETRIES: "0"
      }
      const result = yield* tallystick([...create, "--note", "desk"], { env }).pipe(
        Effect.provideService(HttpClient.HttpClient, service.client)
      )
      assert.strictEqual(result.exitCode, 3)
      assert.include(result.stderr, "whether the key was made is unknown")
      assert.strictEqual(service.seen.filter((name) => name === "create").length, 1)
      return result.stderr
    })

  const key = { note: "desk", apiKey: "mx0LISTEDKEY", permissions: "SPOT_DEAL_READ", ip: "" }

  it.live("is found by its note where the exchange lists it", () =>
    Effect.gen(function*() {
      const now = yield* Clock.currentTimeMillis
      const stderr = yield* lost(Service.json([{ ...key, note: "other" }, { ...key, creatTime: now }]))
      assert.match(stderr, /The exchange lists a key with the note "desk", made at .* UTC\. It may be an earlier one/)
      assert.match(stderr, /If you made none with this note before, the secret is lost, so delete it/)
      assert.notInclude(stderr, "mx0LISTEDKEY")
      const undated = yield* lost(Service.json([key]))
      assert.match(undated, /lists a key with the note "desk", made at a time that it does not tell/)
    }))

  it.live("is not said to be one of several that may be, or one made just before: all are named", () =>
    Effect.gen(function*() {
      const now = yield* Clock.currentTimeMillis
      const before = yield* lost(Service.json([{ ...key, creatTime: now - 40_000 }]))
      assert.match(before, /lists a key with the note "desk", made at .* UTC\. It may be an earlier one/)
      const both = yield* lost(Service.json([{ ...key, creatTime: now - 40_000 }, { ...key, creatTime: now }]))
      assert.match(
        both,
        /lists 2 keys with the note "desk", made at .* UTC and at .* UTC\. Each of them may be an earlier/
      )
      for (const stderr of [before, both]) assert.include(stderr, "see tallystick keys list --sub-account sub00001")
    }))

  it.live("is found at an exchange that made it and lost the connection", () =>
    Effect.gen(function*() {
      const { exchange } = yield* Sandbox.Sandbox
      const { exitCode, stderr } = yield* run([...create, "--note", "sweeper"])
      assert.strictEqual(exitCode, 3)
      assert.match(stderr, /The exchange lists a key with the note "sweeper", made at .* UTC\. It may be/)
      assert.strictEqual((yield* exchange.keys).length, 1)
    }).pipe(listing({ wire: [{ kind: "reset", at: "answer", operations: ["createApiKey"] }] })))

  it.live("is not taken for an older one of the same note", () =>
    Effect.gen(function*() {
      const now = yield* Clock.currentTimeMillis
      const stderr = yield* lost(Service.json([{ ...key, creatTime: now - 3_600_000 }]))
      assert.match(stderr, /only an older key with the note "desk", made at .* UTC, which is not of this request/)
      assert.notMatch(stderr, /secret is lost, so delete it/)
      assert.include(stderr, "look again before you try again")
    }))

  it.live("is never said not to exist: the list may be behind, or not readable", () =>
    Effect.gen(function*() {
      const none = yield* lost(Service.json([]))
      assert.match(none, /The exchange lists no key with the note "desk" yet; the request may still be carried out/)
      assert.include(none, "tallystick keys list --sub-account sub00001")
      const answers: ReadonlyArray<readonly [Service.Answer, RegExp]> = [
        [Service.refusal(700007, 403), /could not be found out: apiKeys: the key may not do this.*SPOT_ACCOUNT_READ/],
        [
          Service.json({ code: 404, msg: "no" }, 404),
          /could not be found out: apiKeys: the exchange does not offer this/
        ],
        [Service.json([{ note: "desk" }]), /could not be found out: apiKeys: HTTP 200: entry 1 cannot be read/],
        [Service.broken("ECONNRESET"), /could not be found out: apiKeys: no usable answer/]
      ]
      for (const [answer, expected] of answers) {
        const stderr = yield* lost(answer)
        assert.match(stderr, expected)
        assert.notInclude(stderr, "lists no key")
      }
    }))
})
