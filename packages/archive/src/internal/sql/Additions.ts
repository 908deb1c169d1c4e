/** What somebody added to the database so that tables do not hold, or do not show, what is written to them. */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/** The tables of an archive. */
export const TABLES = [
  "bad_records",
  "book_days",
  "controls",
  "coverage",
  "deposits",
  "entry_history",
  "entry_states",
  "holder",
  "item_terms",
  "items",
  "learnt",
  "ledger",
  "moves",
  "notice_marks",
  "notices",
  "outcomes",
  "packs",
  "queries",
  "run_outcomes",
  "run_packs",
  "runs",
  "scopes",
  "stamps",
  "sub_accounts",
  "tallystick_migrations",
  "transfers",
  "versions"
] as const

interface Addition {
  readonly type: string
  readonly name: string
  readonly of: string
}

/** An archive has no triggers, rules, policies and views. SQLite keeps the name of a table as a trigger spelled it. Those on other tables, and views of other names, change nothing of it. */
const rows = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({
    sqlite: () =>
      sql<Addition>`SELECT type, name, tbl_name AS "of" FROM sqlite_master
        WHERE type IN ('trigger', 'view') AND lower(tbl_name) IN ${sql.in(TABLES)} ORDER BY type, name`,
    orElse: () =>
      sql<Addition>`SELECT type, name, c.relname::text AS "of" FROM (
          SELECT 'trigger' AS type, tgname::text AS name, tgrelid AS relation FROM pg_trigger WHERE NOT tgisinternal
          UNION ALL SELECT 'rule', rulename::text, ev_class FROM pg_rewrite WHERE rulename <> '_RETURN'
          UNION ALL SELECT 'policy', polname::text, polrelid FROM pg_policy
          UNION ALL SELECT 'view', relname::text, oid FROM pg_class WHERE relkind IN ('v', 'm')
        ) AS added JOIN pg_class c ON c.oid = added.relation
        WHERE c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
          AND ${sql.in("c.relname", TABLES)}
        ORDER BY type, name`
  })

/** Names each in a sentence. */
export const found = (sql: SqlClient.SqlClient): Effect.Effect<ReadonlyArray<string>, SqlError> =>
  Effect.map(rows(sql), (rows) =>
    rows.map(({ name, of, type }) =>
      type === "view"
        ? `a view stands in the place of the table ${of}`
        : `somebody added the ${type} ${name} to the table ${of}: it may change, hide or swallow what is written there`
    ))
