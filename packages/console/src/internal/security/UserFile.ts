/** The file of users, which is read again whenever it is another one: a person who is taken out of it has no session from then on. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"
import { readFile, stat } from "node:fs/promises"
import { Unavailable } from "../../ConsoleError.ts"
import * as Users from "../../Users.ts"
import type { Directory, Known } from "./Directory.ts"

/** A file that changed less than so long ago may change once more and have the same stamp, ms. */
const FRESH = 2000

const MOST_BYTES = 1_000_000

const UNREADABLE = "The file of users cannot be read, so that nobody is let in until it can."

const asMap = ({ users }: Users.Users): ReadonlyMap<string, Known> =>
  new Map(users.map(({ name, role, token }) => [name, { person: { name, role, identity: "token" }, hash: token }]))

interface Read {
  readonly stamp: string
  readonly found: Result.Result<ReadonlyMap<string, Known>, string>
}

const contents = (path: string): Effect.Effect<Read["found"]> =>
  Effect.tryPromise(() => readFile(path, "utf8")).pipe(
    Effect.result,
    Effect.map(Result.match({
      onFailure: () => Result.fail("it cannot be opened"),
      onSuccess: (text) =>
        Result.mapBoth(Users.decode(text), { onSuccess: asMap, onFailure: () => "it is no file of users" })
    }))
  )

/** Reads the file of this path whenever somebody asks and it changed. While it cannot be read, nobody is known. */
export const make = Effect.fnUntraced(function*(path: string): Effect.fn.Return<Directory> {
  const one = yield* Semaphore.make(1)
  let last: Read | undefined

  const look = Effect.gen(function*() {
    const info = yield* Effect.option(Effect.tryPromise(() => stat(path, { bigint: true })))
    if (Option.isNone(info)) return { stamp: "", found: Result.fail("it is not there") }
    const { ctimeMs, ctimeNs, ino, mtimeNs, size } = info.value
    if (size > MOST_BYTES) return { stamp: "", found: Result.fail("it is too large") }
    const stamp = [ino, size, mtimeNs, ctimeNs].join(" ")
    const isFresh = (yield* Clock.currentTimeMillis) - Number(ctimeMs) < FRESH
    return last?.stamp === stamp && !isFresh ? last : { stamp, found: yield* contents(path) }
  })

  const current = one.withPermit(Effect.gen(function*() {
    const next = yield* look
    if (Result.isFailure(next.found) && (last === undefined || Result.isSuccess(last.found))) {
      yield* Effect.logWarning(`The file of users cannot be read: ${next.found.failure}; nobody is let in until it can`)
    }
    last = next
    return next.found
  }))

  return {
    find: (name) =>
      Effect.flatMap(
        current,
        Result.match({
          onFailure: () => Effect.fail(new Unavailable({ message: UNREADABLE })),
          onSuccess: (known) => Effect.succeed(Option.fromUndefinedOr(known.get(name)))
        })
      )
  }
})
