/** What whoever keeps a database of their own may rely on. */
import * as SqliteClient from "@tallystick/archive/SqliteClient"
import * as Config from "effect/Config"
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Reactivity from "effect/reactivity/Reactivity"
import type * as Scope from "effect/Scope"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { expectTypeOf } from "vitest"

// It has the shape of Effect's own clients.
expectTypeOf(SqliteClient.make({ filename: ":memory:" })).toEqualTypeOf<
  Effect.Effect<SqliteClient.SqliteClient, SqlError, Scope.Scope | Reactivity.Reactivity>
>()
expectTypeOf(SqliteClient.layer({ filename: "books.db", busyTimeout: "5 seconds" })).toEqualTypeOf<
  Layer.Layer<SqliteClient.SqliteClient | SqlClient.SqlClient, SqlError>
>()
expectTypeOf(SqliteClient.layerConfig({ filename: Config.String("BOOKS"), readonly: Config.Boolean("READONLY") }))
  .toEqualTypeOf<Layer.Layer<SqliteClient.SqliteClient | SqlClient.SqlClient, Config.ConfigError | SqlError>>()

// @ts-expect-error a file is named, or memory is
SqliteClient.layer({})
