/**
 * The writer's lock is a lease: the server takes it back from a process that says nothing for some seconds, because it was
 * stopped, is cut off from the network, or computes without a pause. What such a process had begun in a transaction is undone
 * then too. `Fence` refuses what a former holder writes when it wakes up.
 */
import type * as PgClient from "@effect/sql-pg/PgClient"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { hasProperty } from "effect/Predicate"
import * as Schedule from "effect/Schedule"

/**
 * The server takes the lock back after this time, unless another length is given. No sync, import or reconciliation for the books of
 * 60,000 sweeps was seen to keep the event loop for as much as a second of processor time, so that a sign comes in time on a busy machine too.
 */
const USUAL: Duration.Input = "10 seconds"

/** A shorter lease would be lost to a busy machine, ms. */
const SHORTEST = 1000

/** The greatest value of PostgreSQL's settings, ms. */
const LONGEST = 2 ** 31 - 1

/** The holder says something so many times in a lease: one answer that is late loses nothing. */
const SIGNS = 3

/** Gives the length of a lease, whole ms. */
export const length = (lease: Duration.Input = USUAL): number =>
  Math.round(Math.min(LONGEST, Math.max(SHORTEST, Duration.toMillis(Duration.fromInputUnsafe(lease)))))

/**
 * Gives expressions of a `SELECT` that bound the transaction in which it runs: how long it may be idle, and how long an answer of
 * the server may wait for a process that does not take it or a network that does not carry it. Only a server on Linux can bound
 * the latter. Keep-alives would add nothing: they only find a peer that is gone while nothing is to be sent, and that is idle.
 */
export const bounds = (ms: number): string =>
  `set_config('idle_in_transaction_session_timeout', '${ms}', true),
    CASE WHEN version() LIKE '%linux%' THEN set_config('tcp_user_timeout', '${ms}', true) END`

/** Transactions may last, even where the server ends long ones by default. PostgreSQL knows the setting from 17 on. */
const LASTING = "SELECT set_config(name, '0', true) FROM pg_settings WHERE name = 'transaction_timeout'"

/**
 * Takes a lock in a transaction and on a connection of its own, so that no statement ever waits for it, and keeps it until the
 * scope closes by a statement three times in a lease of `ms`. It gives false where another process has the lock. The lock ends
 * with the connection, so also with the process, and a pooler in transaction mode keeps a session for it until then.
 *
 * `SET` is the sign of life. It comes first, so that no process stands still with a lock that has no lease, and last, because a
 * query keeps its snapshot until the next statement, and nothing would be cleaned up meanwhile. Where a sign fails, the
 * connection is gone, and the lock with it: the next transaction tells whether another process has it.
 */
export const take = Effect.fnUntraced(function*(
  client: PgClient.PgClient,
  { begin, lock, ms }: { readonly begin: string; readonly lock: string; readonly ms: number }
) {
  const connection = yield* client.reserve
  const run = (statement: string) => connection.executeUnprepared(statement, [], undefined)
  const sign = run(`SET LOCAL idle_in_transaction_session_timeout = ${ms}`)
  yield* Effect.acquireRelease(run(begin), () => Effect.ignore(run("ROLLBACK")))
  yield* sign
  yield* run(LASTING)
  const [row] = yield* run(lock)
  yield* sign
  const isTaken = hasProperty(row, "done") && row.done === true
  if (isTaken) {
    yield* Effect.forkScoped(Effect.ignore(Effect.repeat(sign, Schedule.spaced(Duration.millis(ms / SIGNS)))))
  }
  return isTaken
})
