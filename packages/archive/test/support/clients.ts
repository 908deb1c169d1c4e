/** Every kind of database that a source may read and a sink may write, for real, as any program's own client opens it. */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { join } from "node:path"
import * as SqliteClient from "../../src/SqliteClient.ts"
import { temporaryDatabase, temporaryFolder } from "./databases.ts"

type Client = Layer.Layer<SqlClient.SqlClient, SqlError>

export interface Kind {
  readonly name: "SQLite" | "PostgreSQL"
  /** Layers of an empty database that ends with the scope: each build of one is another connection to it. */
  readonly fresh: Effect.Effect<Client, never, Scope.Scope>
}

export const clients: ReadonlyArray<Kind> = [
  {
    name: "SQLite",
    fresh: Effect.map(temporaryFolder, (folder): Client => SqliteClient.layer({ filename: join(folder, "books.db") }))
  },
  {
    name: "PostgreSQL",
    fresh: Effect.map(temporaryDatabase, (url): Client => PgClient.layer({ url, maxConnections: 4 }))
  }
]

/** Opens a client that ends with the scope. */
export const open = (client: Client): Effect.Effect<SqlClient.SqlClient, SqlError, Scope.Scope> =>
  Effect.map(Layer.build(Layer.fresh(client)), (context) => Context.get(context, SqlClient.SqlClient))

/** Opens a client of an empty database that ends with the scope. */
export const one = ({ fresh }: Kind): Effect.Effect<SqlClient.SqlClient, SqlError, Scope.Scope> =>
  Effect.flatMap(fresh, open)
