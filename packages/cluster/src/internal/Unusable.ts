/** The failure of a database, as this package tells it. */
import type { MigrationError } from "effect/sql/Migrator"
import type { SqlError } from "effect/sql/SqlError"
import * as ClusterError from "../ClusterError.ts"

/** The failure that the database itself told. */
const causeOf = (error: { readonly message: string; readonly cause?: unknown }): { readonly message: string } =>
  error.cause instanceof Error && error.cause.message !== "" ? causeOf(error.cause) : error

export const unusable = (error: SqlError | MigrationError): ClusterError.ClusterError =>
  new ClusterError.ClusterError({ reason: new ClusterError.Database({ detail: causeOf(error).message }) })
