/** Attacks on sessions, over real sockets: who is let in, for how long, and to do what. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { rmSync, writeFileSync } from "node:fs"
import * as ConsoleServer from "../src/ConsoleServer.ts"
import * as TokenHash from "../src/TokenHash.ts"
import * as Asked from "./support/Asked.ts"
import * as Console from "./support/Console.ts"
import * as People from "./support/People.ts"

const { atDesk, ofUsers: withUsers } = Console

const PUBLIC = "https://books.example.com"
const passedOn = { host: "books.example.com", origin: PUBLIC }

const behindProxy = Effect.gen(function*() {
  const people = yield* People.made
  const served = yield* ConsoleServer.serve({
    people: { _tag: "Users", file: people.file, publicOrigin: PUBLIC }
  })
  return { ...people, ...served }
})

const statusOf = (origin: string, headers: Record<string, string>) =>
  Effect.map(Asked.asked(origin, { headers }), ({ status }) => status)

describe("the printed address", () => {
  it.effect("opens the console once, to whoever comes first", () =>
    Effect.gen(function*() {
      const served = yield* atDesk()
      const exchange = { method: "POST", path: "/api/session/exchange" }
      for (const token of ["x", Asked.tokenOf(served).slice(1), `${Asked.tokenOf(served)}A`]) {
        assert.strictEqual((yield* Asked.asked(served.origin, { ...exchange, body: { token } })).status, 401)
      }
      const asking = Asked.asked(served.origin, { ...exchange, body: { token: Asked.tokenOf(served) } })
      const answers = yield* Effect.all([asking, asking, asking], { concurrency: 3 })
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted((one, other) => one - other), [200, 401, 401])
    }).pipe(Effect.provide(Console.layer())))

  it.effect("opens no console that has users, and no name opens one that has none", () =>
    Effect.gen(function*() {
      const { clerk, origin } = yield* withUsers()
      const body = { token: clerk.token }
      assert.strictEqual(
        (yield* Asked.asked(origin, { method: "POST", path: "/api/session/exchange", body })).status,
        401
      )
      const desk = yield* atDesk()
      assert.strictEqual((yield* People.login(desk.origin, "clerk", Asked.tokenOf(desk))).status, 401)
    }).pipe(Effect.provide(Console.layer())))
})

describe("a session", () => {
  it.effect("is opened by a name and its own token only", () =>
    Effect.gen(function*() {
      const { auditor, clerk, origin } = yield* withUsers()
      const told = yield* People.login(origin, "clerk", clerk.token)
      assert.strictEqual(told.status, 200)
      assert.deepStrictEqual(Asked.body(told)["person"], { name: "clerk", role: "decide", identity: "token" })
      for (
        const [name, token] of [
          ["clerk", auditor.token],
          ["Clerk", clerk.token],
          ["clerk ", clerk.token],
          ["", clerk.token],
          ["__proto__", clerk.token],
          ["clerk", clerk.user.token]
        ] as const
      ) {
        const { status, text } = yield* People.login(origin, name, token)
        assert.strictEqual(status, 401, name)
        assert.include(text, "Nobody has this name and this token.")
        yield* TestClock.adjust("10 minutes")
      }
    }).pipe(Effect.provide(Console.layer())))

  it.effect("has a bearer that nobody can make out of another one", () =>
    Effect.gen(function*() {
      const { clerk, controller, origin } = yield* withUsers()
      const one = yield* People.signedIn(origin, "clerk", clerk.token)
      const other = yield* People.signedIn(origin, "controller", controller.token)
      const [id = "", secret = ""] = one.authorization.slice(7).split(".")
      const [otherId = ""] = other.authorization.slice(7).split(".")
      for (
        const bearer of [
          "",
          ".",
          id,
          `${id}.`,
          `.${secret}`,
          `${otherId}.${secret}`,
          `${id}.${secret}.`,
          `${id}.${secret.slice(1)}`,
          clerk.token,
          "constructor.x"
        ]
      ) {
        assert.strictEqual(yield* statusOf(origin, { authorization: `Bearer ${bearer}` }), 401, bearer)
      }
      assert.strictEqual(yield* statusOf(origin, { authorization: one.authorization.replace("Bearer", "Basic") }), 401)
      assert.strictEqual(yield* statusOf(origin, { cookie: `__Host-tallystick=${id}.${secret}` }), 401)
      assert.strictEqual(yield* statusOf(origin, one), 200)
    }).pipe(Effect.provide(Console.layer())))

  it.effect("ends when nothing is asked in it for an hour, and after 12 hours whatever is asked", () =>
    Effect.gen(function*() {
      const served = yield* atDesk()
      const headers = yield* Asked.atDesk(served)
      for (let minutes = 0; minutes < 12 * 60 - 50; minutes += 50) {
        yield* TestClock.adjust("50 minutes")
        assert.strictEqual(yield* statusOf(served.origin, headers), 200, `after ${minutes + 50} minutes`)
      }
      yield* TestClock.adjust("30 minutes")
      assert.strictEqual(yield* statusOf(served.origin, headers), 401)

      const { clerk, origin } = yield* withUsers()
      const idle = yield* People.signedIn(origin, "clerk", clerk.token)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* statusOf(origin, idle), 401)
      yield* TestClock.adjust("-1 hour")
      assert.strictEqual(yield* statusOf(origin, idle), 401)
    }).pipe(Effect.provide(Console.layer())))

  it.effect("ends for good when somebody signs out", () =>
    Effect.gen(function*() {
      const { clerk, origin } = yield* withUsers()
      const headers = yield* People.signedIn(origin, "clerk", clerk.token)
      const other = yield* People.signedIn(origin, "clerk", clerk.token)
      assert.strictEqual((yield* Asked.asked(origin, { method: "DELETE", headers })).status, 204)
      assert.strictEqual(yield* statusOf(origin, headers), 401)
      assert.strictEqual(yield* statusOf(origin, other), 200)
    }).pipe(Effect.provide(Console.layer())))

  it.effect("ends at once when its person is taken out of the file, or gets another token", () =>
    Effect.gen(function*() {
      const { auditor, clerk, controller, file, origin } = yield* withUsers()
      const ofClerk = yield* People.signedIn(origin, "clerk", clerk.token)
      const ofController = yield* People.signedIn(origin, "controller", controller.token)
      const ofAuditor = yield* People.signedIn(origin, "auditor", auditor.token)
      const again = yield* People.user("controller", "approve")
      yield* People.write(file, [again.user, auditor.user])
      assert.strictEqual(yield* statusOf(origin, ofClerk), 401)
      assert.strictEqual(yield* statusOf(origin, ofController), 401)
      assert.strictEqual(yield* statusOf(origin, ofAuditor), 200)
      // What ended does not begin again.
      yield* People.write(file, [clerk.user, controller.user, auditor.user])
      assert.strictEqual(yield* statusOf(origin, ofClerk), 401)
      assert.strictEqual(yield* statusOf(origin, ofController), 401)
    }).pipe(Effect.provide(Console.layer())))

  it.effect("has the role that the file says now", () =>
    Effect.gen(function*() {
      const { clerk, file, origin } = yield* withUsers()
      const headers = yield* People.signedIn(origin, "clerk", clerk.token)
      yield* People.write(file, [{ ...clerk.user, role: "read" }])
      assert.deepStrictEqual(Asked.body(yield* Asked.asked(origin, { headers }))["person"], {
        name: "clerk",
        role: "read",
        identity: "token"
      })
    }).pipe(Effect.provide(Console.layer())))

  it.effect("is of no use while the file cannot be read, and nobody signs in", () =>
    Effect.gen(function*() {
      const { clerk, file, origin } = yield* withUsers()
      const headers = yield* People.signedIn(origin, "clerk", clerk.token)
      const spoilt = [
        () => rmSync(file),
        () => writeFileSync(file, ""),
        () => writeFileSync(file, JSON.stringify({ users: [clerk.user, { ...clerk.user, name: "CLERK " }] })),
        () => writeFileSync(file, JSON.stringify({ users: [clerk.user, { ...clerk.user, name: "ｃｌｅｒｋ" }] })),
        () => writeFileSync(file, JSON.stringify({ users: [{ ...clerk.user, token: "plain" }] })),
        () => writeFileSync(file, `{"users":[${" ".repeat(1_000_001)}]}`)
      ]
      for (const [index, spoil] of spoilt.entries()) {
        spoil()
        const { status, text } = yield* Asked.asked(origin, { headers })
        assert.strictEqual(status, 503, `${index}`)
        assert.notInclude(text, file)
        assert.strictEqual((yield* People.login(origin, "clerk", clerk.token)).status, 503)
        yield* TestClock.adjust("10 minutes")
      }
      yield* People.write(file, [clerk.user])
      assert.strictEqual((yield* People.login(origin, "clerk", clerk.token)).status, 200)
    }).pipe(Effect.provide(Console.layer())))

  it.effect("makes room for the next one of its person after twenty, and takes none from others", () =>
    Effect.gen(function*() {
      const { auditor, clerk, origin } = yield* withUsers()
      const other = yield* People.signedIn(origin, "auditor", auditor.token)
      const own = yield* Effect.forEach(
        Array.from({ length: 21 }),
        () => People.signedIn(origin, "clerk", clerk.token),
        { concurrency: 4 }
      )
      const statuses = yield* Effect.forEach(own, (headers) => statusOf(origin, headers))
      assert.strictEqual(statuses.filter((status) => status === 200).length, 20)
      assert.strictEqual(yield* statusOf(origin, other), 200)
    }).pipe(Effect.provide(Console.layer())))
})

describe("a session behind a proxy", () => {
  const opened = Effect.gen(function*() {
    const { clerk, local } = yield* behindProxy
    const answer = yield* People.login(local, "clerk", clerk.token, { headers: passedOn, keep: "cookie" })
    const [set = ""] = answer.headers["set-cookie"] ?? []
    return { local, answer, set, cookie: set.split(";")[0] ?? "", csrf: String(Asked.body(answer)["csrf"]) }
  })

  it.effect("is a cookie that no script reads, no other host gets, and no other site sends", () =>
    Effect.gen(function*() {
      const { answer, cookie, local, set } = yield* opened
      assert.match(set, /^__Host-tallystick=[\w.-]{60}; /)
      for (const word of ["HttpOnly", "Secure", "SameSite=Strict", "Path=/"]) assert.include(set, word)
      assert.notInclude(set, "Domain")
      assert.isNull(Asked.body(answer)["bearer"])
      assert.strictEqual(yield* statusOf(local, { ...passedOn, cookie }), 200)
      // A proxy may ask for a password of its own.
      assert.strictEqual(yield* statusOf(local, { ...passedOn, cookie, authorization: "Basic Y2xlcms6eA==" }), 200)
      const bearer = { authorization: `Bearer ${cookie.split("=")[1] ?? ""}` }
      assert.strictEqual(yield* statusOf(local, { ...passedOn, ...bearer }), 401)
    }).pipe(Effect.provide(Console.layer())))

  it.effect("writes only with the header that its own page can send", () =>
    Effect.gen(function*() {
      const { cookie, csrf, local } = yield* opened
      const second = yield* opened
      const logout = (more: Record<string, string>) =>
        Asked.asked(local, { method: "DELETE", headers: { ...passedOn, cookie, ...more } })
      for (
        const more of [{}, { "x-tallystick-csrf": "" }, { "x-tallystick-csrf": csrf.slice(1) }, {
          "x-tallystick-csrf": second.csrf
        }]
      ) {
        const answer = yield* logout(more)
        assert.strictEqual(answer.status, 403)
        assert.strictEqual(Asked.body(answer)["reason"], "csrf")
      }
      assert.strictEqual(yield* statusOf(local, { ...passedOn, cookie }), 200)
      assert.strictEqual((yield* logout({ "x-tallystick-csrf": csrf })).status, 204)
      assert.strictEqual(yield* statusOf(local, { ...passedOn, cookie }), 401)
    }).pipe(Effect.provide(Console.layer())))

  it.effect("is a bearer on this machine, where every port would see a cookie", () =>
    Effect.gen(function*() {
      const { clerk, origin } = yield* withUsers()
      const answer = yield* People.login(origin, "clerk", clerk.token, { keep: "cookie" })
      assert.isUndefined(answer.headers["set-cookie"])
      assert.isString(Asked.body(answer)["bearer"])
    }).pipe(Effect.provide(Console.layer())))
})

describe("failed logins", () => {
  const count = process.env["TALLYSTICK_CASES"] === undefined ? 500 : 10_000

  it.effect("hundreds from one address make it wait, ten thousand in the long run, and a right one from elsewhere is let in at once", () =>
    Effect.gen(function*() {
      const { clerk, local } = yield* behindProxy
      const agent = yield* Asked.connections
      const from = (address: string, token: string) =>
        People.login(local, "clerk", token, {
          headers: { ...passedOn, "x-forwarded-for": `198.51.100.1, ${address}` },
          agent
        })
      const statuses = yield* Effect.forEach(
        Array.from({ length: count }, (_, index) => index),
        (index) => Effect.map(from("203.0.113.7", `wrong${index}`), ({ status }) => status),
        { concurrency: 8 }
      )
      assert.strictEqual(statuses.filter((status) => status === 401).length, 5)
      assert.strictEqual(statuses.filter((status) => status === 429 || status === 503).length, count - 5)
      assert.strictEqual((yield* from("203.0.113.7", clerk.token)).status, 429)
      assert.strictEqual((yield* from("203.0.113.8", clerk.token)).status, 200)
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* from("203.0.113.7", clerk.token)).status, 200)
    }).pipe(Effect.provide(Console.layer())))

  it.effect("of many addresses of one subscriber count together, and each wait is longer", () =>
    Effect.gen(function*() {
      const { local } = yield* behindProxy
      const from = (index: number) =>
        People.login(local, "clerk", "wrong", { headers: { ...passedOn, "x-forwarded-for": `2001:db8::${index}` } })
      for (let index = 1; index <= 5; index++) assert.strictEqual((yield* from(index)).status, 401)
      for (const wait of [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]) {
        const answer = yield* from(wait)
        assert.strictEqual(answer.status, 429)
        assert.strictEqual(Asked.body(answer)["retryAfter"], wait)
        yield* TestClock.adjust(`${wait} seconds`)
        assert.strictEqual((yield* from(7)).status, 401)
      }
    }).pipe(Effect.provide(Console.layer())))
})

describe("logins at once", () => {
  it.effect("of one address are all checked, and none of them counts as failed before it failed", () =>
    Effect.gen(function*() {
      const { clerk, origin } = yield* withUsers()
      const login = People.login(origin, "clerk", clerk.token)
      for (let round = 0; round < 3; round++) {
        const answers = yield* Effect.all(Array.from({ length: 10 }, () => login), { concurrency: 10 })
        for (const { status, text } of answers.filter((one) => one.status !== 200)) {
          assert.strictEqual(status, 503)
          assert.include(text, "are being checked")
        }
        assert.isAtLeast(answers.filter(({ status }) => status === 200).length, 4)
      }
    }).pipe(Effect.provide(Console.layer())))
})

describe("a secret", () => {
  it.effect("is repeated in no answer, also where it came in the wrong place", () =>
    Effect.gen(function*() {
      const { origin } = yield* withUsers()
      const secret = "do-not-repeat-me"
      const bodies = [
        `{"token":"${secret}`,
        secret,
        { name: "clerk", token: { nested: secret } },
        { name: secret.repeat(20), token: secret },
        { token: secret },
        { name: "clerk", token: secret, keep: secret },
        { name: "clerk", token: secret.repeat(20) },
        [secret]
      ]
      for (const body of bodies) {
        const { status, text } = yield* Asked.asked(origin, { method: "POST", body })
        assert.strictEqual(status, 400, JSON.stringify(body))
        assert.notInclude(text, secret)
        assert.include(text, "InvalidRequest")
      }
    }).pipe(Effect.provide(Console.layer())))

  it.effect("is not found in what a hash is written as, and hashes of one token differ", () =>
    Effect.gen(function*() {
      const { hash, token } = yield* TokenHash.issue
      assert.notInclude(hash, Redacted.value(token))
      assert.notStrictEqual((yield* TokenHash.issue).hash, hash)
      assert.isTrue(yield* TokenHash.verify(token, hash))
      assert.isFalse(yield* TokenHash.verify(Redacted.make(`${Redacted.value(token)} `), hash))
      for (
        const other of [
          "",
          "$scrypt$",
          hash.replace("ln=14", "ln=24"),
          hash.replace("r=8", "r=9"),
          hash.slice(0, -1),
          `${hash}A`
        ]
      ) {
        assert.isFalse(yield* TokenHash.verify(token, other), other)
      }
    }).pipe(Effect.provide(Console.layer())))
})
