/**
 * Looks over a connection of its own whether a runner is in its cluster as it should be: its connections may have been lost in a way of which
 * nobody tells it, and what waits for them waits for a quarter of an hour.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Reactivity from "effect/reactivity/Reactivity"
import type * as Redacted from "effect/Redacted"
import * as Engine from "../effect/Engine.ts"
import { Version } from "../Version.ts"

/** It is looked every so often, and a runner is lost that was found so many times in a row not to be as it should: for a minute. */
const LOOKS: Looks = { every: "5 seconds", often: 12 }

export interface Looks {
  readonly every: Duration.Input
  readonly often: number
}

export interface Options {
  readonly url: Redacted.Redacted
  readonly address: Engine.Address
}

/**
 * Whether the runner keeps its locks, or at least gives back those that it lost. A PostgreSQL that does not answer says nothing of it. What
 * does not end in time is left to itself: it may hang as that does of which it asks.
 */
const isWell = ({ address, url }: Options, { every }: Looks) =>
  Effect.gen(function*() {
    const sql = yield* PgClient.makeClient({ url, applicationName: "tallystick", connectTimeout: every })
    return (yield* Engine.isFresh(sql, yield* Version, address)) && !(yield* Engine.isReleasing)
  }).pipe(
    Effect.scoped,
    Effect.provide(Reactivity.layer),
    Effect.orElseSucceed(() => true),
    Effect.forkDetach,
    Effect.flatMap((fiber) =>
      Effect.timeoutOrElse(Fiber.join(fiber), { duration: every, orElse: () => Effect.succeed(true) })
    )
  )

/** Goes on until the runner was not as it should be for a minute. */
export const lost = (options: Options, looks: Looks = LOOKS): Effect.Effect<void> =>
  Effect.gen(function*() {
    let often = 0
    while (often < looks.often) {
      yield* Effect.sleep(looks.every)
      often = (yield* isWell(options, looks)) ? 0 : often + 1
    }
  })
