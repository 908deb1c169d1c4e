/** A job of a cluster brings the books forward once, however often it is done. */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Archive from "../src/Archive.ts"
import * as ArchiveReconciliation from "../src/ArchiveReconciliation.ts"
import * as BookError from "../src/BookError.ts"
import * as Books from "../src/Books.ts"
import { arrives, book, options, swept } from "./support/books.ts"
import { databases } from "./support/databases.ts"
import { clerk, decide, link, testOn } from "./support/decisions.ts"

const job = "a".repeat(64)
const other = "b".repeat(64)

const executions = Effect.map(
  Books.Books.use(({ executions }) => executions),
  (all) => all.map(({ body }) => `${body.number} ${body.job ?? "none"}`)
)

describe.each(databases)("jobs, on $name", (kind) => {
  const test = testOn(kind)

  it.live("a job that is done again gives the execution that it made", () =>
    test(Effect.gen(function*() {
      const first = yield* book(options(), { job })
      assert.strictEqual(first.execution.body.job, job)
      yield* decide([yield* link("near", ["t1"])])
      const again = yield* book(options(), { job })
      assert.deepStrictEqual(again.execution, first.execution)
      assert.deepStrictEqual(yield* executions, [`1 ${job}`])
      const next = yield* book(options(), { job: other })
      assert.strictEqual(next.execution.body.number, 3)
      yield* book()
      assert.deepStrictEqual(yield* executions, [`1 ${job}`, `3 ${other}`, "4 none"])
    })))

  it.live("two attempts at a job at the same time make one execution", () =>
    test(Effect.gen(function*() {
      const attempts = yield* Effect.all([book(options(), { job }), book(options(), { job })], {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(attempts.map(({ execution }) => execution.body.number), [1, 1])
      assert.deepStrictEqual(yield* executions, [`1 ${job}`])
    })))

  it.live("a run that a job gives again, or twice at the same time, is one execution", () =>
    test(Effect.gen(function*() {
      const { execute } = yield* Books.Books
      const { report, run } = yield* ArchiveReconciliation.record({ ...options(), readOn: true })
      const made = execute(run, report, { author: clerk, job })
      const both = yield* Effect.all([made, made], { concurrency: "unbounded" })
      const late = yield* made
      assert.deepStrictEqual([...both, late].map(({ body }) => body.number), [1, 1, 1])
      assert.deepStrictEqual(yield* executions, [`1 ${job}`])
    })))

  it.live("an order that was withdrawn before it is written writes nothing, and is asked about in the transaction alone", () =>
    test(Effect.gen(function*() {
      const { executionOf } = yield* Books.Books
      const asked: Array<string> = []
      const mayBook = (answer: boolean) => Effect.as(Effect.sync(() => asked.push("asked")), answer)
      const withdrawn = yield* Effect.flip(book(options(), { job, mayBook: mayBook(false) }))
      assert.instanceOf(withdrawn, BookError.BookError)
      assert.strictEqual(
        withdrawn.message,
        "the order to bring the books forward was withdrawn before it was carried out"
      )
      assert.deepStrictEqual(asked, ["asked"])
      assert.deepStrictEqual(yield* executions, [])
      assert.isTrue(Option.isNone(yield* executionOf(job)))
      const { execution } = yield* book(options(), { job, mayBook: mayBook(true) })
      assert.deepStrictEqual(yield* executionOf(job), Option.some(execution))
      assert.isTrue(Option.isNone(yield* executionOf(other)))
      // What a job made already is given without a question.
      yield* book(options(), { job, mayBook: mayBook(false) })
      assert.lengthOf(asked, 2)
    })))

  it.live("whoever looks for the execution of a job waits for a transaction that may write it", () =>
    test(Effect.gen(function*() {
      const { executionOf } = yield* Books.Books
      const [isAsked, isAnswered] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const mayBook = Effect.as(Effect.andThen(Deferred.succeed(isAsked, undefined), Deferred.await(isAnswered)), true)
      const booking = yield* Effect.forkChild(book(options(), { job, mayBook }))
      yield* Deferred.await(isAsked)
      const looking = yield* Effect.forkChild(executionOf(job))
      yield* Effect.yieldNow
      yield* Deferred.succeed(isAnswered, undefined)
      const { execution } = yield* Fiber.join(booking)
      assert.deepStrictEqual(yield* Fiber.join(looking), Option.some(execution))
    })))

  it.live("an archive tells when it was made, always the same", () =>
    test(Effect.gen(function*() {
      const { made } = yield* Archive.Archive
      const text = yield* made
      assert.match(text, /^\d/)
      yield* book()
      assert.strictEqual(yield* made, text)
    })))

  it.live("the state of an archive changes with what is kept in it, and not with its books", () =>
    test(Effect.gen(function*() {
      const { state } = yield* Archive.Archive
      const before = yield* state
      yield* book()
      assert.strictEqual(yield* state, before)
      yield* arrives(swept)
      assert.notStrictEqual(yield* state, before)
    })))
})
