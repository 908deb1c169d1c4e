/** Makes rows of a table from outcomes. */
import * as Amount from "@tallystick/core/Amount"
import type * as Entry from "../../Entry.ts"
import * as Outcome from "../../Outcome.ts"
import * as Form from "../report/Form.ts"

/** The columns whose values come from the outcome, and their types in every database. */
export const columns = {
  id: "TEXT NOT NULL",
  outcome: "TEXT NOT NULL",
  code: "TEXT NOT NULL",
  final: "INTEGER NOT NULL",
  at: "BIGINT",
  until: "BIGINT",
  asset: "TEXT",
  deposits: "INTEGER NOT NULL",
  transfers: "INTEGER NOT NULL",
  deposited: "TEXT",
  transferred: "TEXT",
  residual: "TEXT",
  explanation: "TEXT NOT NULL",
  content: "TEXT NOT NULL"
} as const

export type OutcomeRow = Readonly<Record<keyof typeof columns, string | number | null>>

/** PostgreSQL keeps no NUL. The content has it as an escape. */
const text = (stranger: string): string => stranger.replaceAll("\0", "\uFFFD").toWellFormed()

/** Returns the exact sum of entries of one asset; null where there are none, or entries of several. */
const sumOf = (entries: ReadonlyArray<Entry.Entry>): string | null => {
  const [first] = entries
  if (first === undefined || entries.some(({ asset }) => asset !== first.asset)) return null
  const scale = Math.max(...entries.map(({ amount }) => Amount.scale(amount)))
  return Amount.format(entries.reduce((sum, { amount }) => sum + Amount.units(amount, scale), 0n), scale)
}

export const make = (outcome: Outcome.Outcome): OutcomeRow => {
  const { code, deposits, explanation, final, id, outcome: kind, residual, transfers } = outcome
  const at = Outcome.earliest(outcome)
  const until = Math.max(...[...deposits, ...transfers].map((entry) => entry.at), at)
  const asset = (deposits[0] ?? transfers[0])?.asset
  return {
    id,
    outcome: kind,
    code,
    final: final ? 1 : 0,
    at: Number.isFinite(at) ? at : null,
    until: Number.isFinite(until) ? until : null,
    asset: asset === undefined ? null : text(asset),
    deposits: deposits.length,
    transfers: transfers.length,
    deposited: sumOf(deposits),
    transferred: sumOf(transfers),
    residual,
    explanation: text(explanation),
    content: JSON.stringify(Form.written(outcome))
  }
}
