/** A process of its own that does to the archive of its environment what it is told, a line each, and says how that went. */
import * as ArchiveConfig from "@tallystick/archive/ArchiveConfig"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { closeSync, existsSync, openSync } from "node:fs"
import { createInterface } from "node:readline"
import { ArchiveError } from "../../src/ArchiveError.ts"
import * as Drivers from "../../src/internal/Drivers.ts"
import { Database } from "../../src/internal/sql/Database.ts"

const file = process.env[ArchiveConfig.FILE] ?? ""
const lease = process.env["TALLYSTICK_TEST_LEASE"]
const layer = () =>
  file !== ""
    ? Drivers.layerSqlite({ file, busyTimeout: "100 millis" })
    : lease === undefined
    ? Drivers.layerConfig()
    : Drivers.layerPostgres({
      url: Redacted.make(process.env[ArchiveConfig.DATABASE_URL] ?? ""),
      lease: Duration.millis(Number(lease))
    })

let opened: { readonly database: Database["Service"]; readonly scope: Scope.Closeable } | undefined
let claimed: Scope.Closeable | undefined

const close = (scope: Scope.Closeable | undefined) => scope === undefined ? Effect.void : Scope.close(scope, Exit.void)

/** In a scope that outlasts it, unless it fails. */
const lasting = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>) =>
  Effect.gen(function*() {
    const scope = yield* Scope.make()
    const value = yield* Scope.provide(effect, scope).pipe(Effect.onError(() => close(scope)))
    return { value, scope }
  })

const database = Effect.suspend(() => opened === undefined ? Effect.fail("not open") : Effect.succeed(opened.database))

const commands: Readonly<Record<string, (word: string) => Effect.Effect<unknown, unknown>>> = {
  open: () =>
    Effect.map(lasting(Layer.build(Layer.fresh(layer()))), ({ scope, value }) => {
      opened = { scope, database: Context.get(value, Database) }
    }),
  close: () =>
    Effect.andThen(close(claimed), close(opened?.scope)).pipe(
      Effect.tap(() => Effect.sync(() => (opened = claimed = undefined)))
    ),
  claim: (word) =>
    Effect.gen(function*() {
      const { scope } = yield* lasting((yield* database).exclusive(word))
      claimed = scope
    }),
  release: () => Effect.tap(close(claimed), () => Effect.sync(() => (claimed = undefined))),
  write: (word) =>
    Effect.gen(function*() {
      const { error, sql } = yield* database
      yield* sql.withTransaction(sql`INSERT INTO stamps ${sql.insert({ base_url: word, fingerprint: "" })}`).pipe(
        Effect.mapError(error)
      )
    }),
  /** Stands still between a statement and the end of its transaction, until somebody wakes it. */
  stop: (word) =>
    Effect.gen(function*() {
      const { error, sql } = yield* database
      yield* sql`INSERT INTO stamps ${sql.insert({ base_url: word, fingerprint: "" })}`.pipe(
        Effect.tap(Effect.sync(() => process.kill(process.pid, "SIGSTOP"))),
        sql.withTransaction,
        Effect.mapError(error)
      )
    }),
  /** Closing any handle of a file ends a process's locks on it, as a file system may that forgets them. */
  forget: (ends) =>
    Effect.sync(() => {
      for (const end of ends.split(",")) if (existsSync(file + end)) closeSync(openSync(file + end, "r"))
    })
}

const told = (exit: Exit.Exit<unknown, unknown>): string => {
  if (Exit.isSuccess(exit)) return "ok"
  const reason = exit.cause.reasons[0]
  const error = reason !== undefined && reason._tag === "Fail" ? reason.error : undefined
  return error instanceof ArchiveError ? error.reason._tag : `broken: ${String(exit.cause)}`
}

for await (const line of createInterface({ input: process.stdin })) {
  const [name = "", word = ""] = line.split(" ")
  const exit = await Effect.runPromiseExit(commands[name]?.(word) ?? Effect.die(line))
  process.stdout.write(`${told(exit).replaceAll("\n", " ")}\n`)
}
process.exit()
