/** What those hear who watch, and when they hear no more. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { renameSync } from "node:fs"
import { request } from "node:http"
import * as Kept from "../../archive/test/support/decisions.ts"
import * as Asked from "./support/Asked.ts"
import * as Console from "./support/Console.ts"
import * as People from "./support/People.ts"

/** Lets sockets and files have their turn, which no clock of a test moves. */
const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

interface Watching {
  readonly text: () => string
  readonly isOver: () => boolean
  readonly leave: () => void
  readonly status: number
}

/** Watches, and keeps what comes. */
const watch = (origin: string, headers: Record<string, string>) =>
  Effect.callback<Watching>(
    (resume) => {
      let [text, isOver] = ["", false]
      const sent = request(`${origin}/api/events`, { headers, agent: false }, (response) => {
        response.on("data", (chunk: Buffer) => {
          text += chunk.toString("utf8")
        })
        response.on("close", () => {
          isOver = true
        })
        resume(Effect.succeed({
          text: () => text,
          isOver: () => isOver,
          leave: () => void sent.destroy(),
          status: response.statusCode ?? 0
        }))
      })
      sent.on("error", () => {})
      sent.end()
    }
  )

/** Moves the clock until something is so. */
const until = (isSo: () => boolean, step: Parameters<typeof TestClock.adjust>[0] = "1 second") =>
  Effect.repeat(
    Effect.andThen(Effect.andThen(TestClock.adjust(step), turn), Effect.sync(isSo)),
    { until: (isDone) => isDone }
  )

/** Sessions that outlast whatever a slow machine needs. */
const long = { idle: "300 days", lifetime: "600 days" } as const

const decide = Kept.decide([{ kind: "note", entries: [{ side: "transfer", id: "t1" }], words: "seen" }])

describe("events", () => {
  it.effect("tell at once how the archive stands, and whenever it changed, to everybody who watches", () =>
    Effect.gen(function*() {
      yield* Console.booked
      const { auditor, clerk, local } = yield* Console.ofUsers(long)
      const one = yield* watch(local, yield* People.signedIn(local, "clerk", clerk.token))
      yield* until(() => one.text().includes("\n\n"))
      const other = yield* watch(local, yield* People.signedIn(local, "auditor", auditor.token))
      yield* until(() => other.text().includes("\n\n"))
      for (const { text } of [one, other]) assert.match(text(), /event: marks\ndata: {"run":1,"ledger":1,"decision":0,/)
      yield* decide
      yield* until(() => one.text().includes(`"decision":2`) && other.text().includes(`"decision":2`))
      assert.strictEqual(one.text().split("event: marks").length, 3)
      yield* until(() => one.text().includes("event: alive"), "5 seconds")
    }).pipe(Effect.provide(Console.layer())))

  it.effect("do not say that nothing changed while the archive cannot be read", () =>
    Console.withArchive((file) =>
      Effect.gen(function*() {
        const served = yield* Console.atDesk(long)
        const headers = yield* Asked.atDesk(served)
        const watching = yield* watch(served.origin, headers)
        const alive = () => watching.text().split("event: alive").length - 1
        yield* until(() => watching.text().includes("event: marks"))
        renameSync(file, `${file}.away`)
        for (let count = 0; count < 60; count++) yield* Effect.andThen(TestClock.adjust("1 second"), turn)
        assert.strictEqual(alive(), 0)
        const late = yield* Effect.forkChild(watch(served.origin, headers))
        for (let count = 0; count < 60; count++) yield* Effect.andThen(TestClock.adjust("1 second"), turn)
        assert.isUndefined(late.pollUnsafe(), "Somebody who comes then hears what was found before.")
        renameSync(`${file}.away`, file)
        yield* until(() => alive() === 1)
        assert.strictEqual(watching.text().split("event: marks").length - 1, 1)
      })
    ))

  it.effect("end when the session does: somebody signs out, or is taken out of the file", () =>
    Effect.gen(function*() {
      const { auditor, clerk, controller, file, local } = yield* Console.ofUsers(long)
      const asClerk = yield* People.signedIn(local, "clerk", clerk.token)
      const ofClerk = yield* watch(local, asClerk)
      const ofAuditor = yield* watch(local, yield* People.signedIn(local, "auditor", auditor.token))
      const ofController = yield* watch(local, yield* People.signedIn(local, "controller", controller.token))
      yield* Asked.asked(local, { method: "DELETE", headers: asClerk })
      yield* until(ofClerk.isOver, 0)
      assert.isFalse(ofAuditor.isOver())
      yield* People.write(file, [controller.user])
      yield* until(ofAuditor.isOver)
      assert.isFalse(ofController.isOver())
    }).pipe(Effect.provide(Console.layer())))

  it.effect("keep no session open by themselves", () =>
    Effect.gen(function*() {
      const served = yield* Console.atDesk({ idle: "10 seconds" })
      const watching = yield* watch(served.origin, yield* Asked.atDesk(served))
      yield* until(watching.isOver)
    }).pipe(Effect.provide(Console.layer())))

  it.effect("end with the server, which waits for nobody who watches", () =>
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      const served = yield* Scope.provide(Console.atDesk(long), scope)
      const watching = yield* watch(served.origin, yield* Asked.atDesk(served))
      yield* until(() => watching.text() !== "")
      yield* Scope.close(scope, Exit.void)
      yield* until(watching.isOver)
    }).pipe(Effect.provide(Console.layer())))

  it.effect("are eight at most of one session, and make room when one is left", () =>
    Effect.gen(function*() {
      const { clerk, local } = yield* Console.ofUsers(long)
      const headers = yield* People.signedIn(local, "clerk", clerk.token)
      const twelve = Array.from({ length: 12 }, () => watch(local, headers))
      const all = yield* Effect.all(twelve, { concurrency: 12 })
      const [first, ...others] = all.filter(({ status }) => status === 200)
      assert.strictEqual(others.length, 7)
      assert.strictEqual(all.filter(({ status }) => status === 503).length, 4)
      first?.leave()
      yield* until(() => first?.isOver() === true)
      const next = watch(local, headers).pipe(
        Effect.repeat({ until: ({ status }) => status === 200 })
      )
      yield* next
      assert.strictEqual((yield* watch(local, headers)).status, 503)
      assert.isTrue(others.every(({ isOver }) => !isOver()))
    }).pipe(Effect.provide(Console.layer())))
})
