/**
 * Writes outcomes as the page holds them: arrays instead of objects, and numbers instead of texts that repeat.
 *
 * Nothing of an outcome is left out, except the service's own records in matches.
 */
import * as Amount from "@tallystick/core/Amount"
import type * as Difference from "@tallystick/reconcile/Difference"
import type * as Entry from "@tallystick/reconcile/Entry"
import * as Outcome from "@tallystick/reconcile/Outcome"
import * as FinalText from "../../text/FinalText.ts"
import * as Titles from "../../Titles.ts"
import * as Gaps from "../content/Gaps.ts"
import type * as Stakes from "../content/Stakes.ts"
import * as Texts from "./Texts.ts"

const kinds = ["matched", "discrepancy", "pending", "undetermined", "set-aside"] as const
const codes = Object.values(Outcome.codes).flat()
const statuses = ["settled", "pending", "failed", "unknown"] as const
const sides = ["deposit", "transfer"] as const
const bounds = ["exact", "at least", "at most"] as const satisfies ReadonlyArray<Difference.Bound>
const deciders = ["forced", "time", "assigned", "amount", "reference", "link"] as const
const places = ["account", "network", "address", "memo", "from", "to", "fromType", "toType"] as const

/** The columns of an entry. Names in capitals are numbers: of a list above, or of a text, where 0 is none. */
export type EntryRow = readonly [
  id: string,
  ASSET: number,
  amount: string,
  at: number,
  STATUS: number,
  PLACES: ReadonlyArray<number>,
  reference: string | 0,
  past: NonNullable<Entry.Entry["past"]> | 0,
  record?: unknown
]

type CandidateRow = readonly [SIDE: number, id: string, REASON: number]

const rare = [
  "rule",
  "pairs",
  "matchedCount",
  "openCount",
  "openSum",
  "missing",
  "bad",
  "accepted",
  "finalFrom"
] as const

/** The fields that few outcomes have. */
type Rare = Pick<Outcome.Outcome, typeof rare[number]>

/** An exact amount of one side with its sign; or what is missing, what is too much, and the number of the bound; 0 is none. */
type DifferenceRow =
  | string
  | readonly [
    missing: string,
    excess: string,
    BOUND: number,
    other?: NonNullable<Difference.Difference["other"]>
  ]
  | 0

const differenceRow = (difference: Stakes.Stake["difference"]): DifferenceRow => {
  if (difference === null) return 0
  const { amount, bound, excess, missing, other } = difference
  if (other !== undefined) return [missing, excess, bounds.indexOf(bound), other]
  return bound === "exact" && (missing === "0" || excess === "0")
    ? amount
    : [missing, excess, bounds.indexOf(bound)]
}

const differenceOf = (row: DifferenceRow): Stakes.Stake["difference"] => {
  if (row === 0) return null
  if (typeof row === "string") {
    const size = row.replace("-", "")
    const [missing, excess] = size === row ? [size, "0"] : ["0", size]
    return { missing, excess, amount: row, size, bound: "exact" }
  }
  const [missing, excess, bound, other] = row
  return {
    missing,
    excess,
    amount: Amount.sum([missing, Amount.times(excess, "-1")]),
    size: Amount.sum([missing, excess]),
    bound: bounds[bound] ?? "at most",
    ...(other === undefined ? {} : { other })
  }
}

export type OutcomeRow = readonly [
  id: string,
  KIND: number,
  CODE: number,
  final: 0 | 1,
  deposits: ReadonlyArray<EntryRow>,
  transfers: ReadonlyArray<EntryRow>,
  lagMs: number | null,
  residual: string | null,
  DECIDER: number,
  explanation: string,
  candidates: ReadonlyArray<CandidateRow>,
  rare: Rare | 0,
  STAKE_ASSET: number,
  stake: string,
  worth: string | 0,
  difference: DifferenceRow,
  FINALITY: number
]

/** Returns the row of an outcome, and adds its texts to `texts`; `at` writes the moment at which one becomes final. */
export const writer = (texts: Texts.Texts, at: (ms: number) => string) => {
  const entryRow = (entry: Entry.Entry, withRecord: boolean): EntryRow => {
    const named = places.map((place) => texts.number(entry[place]))
    while (named.at(-1) === 0) named.pop()
    const { amount, asset, at, id, past = 0, record, reference = 0, status } = entry
    const row = [id, texts.number(asset), amount, at, statuses.indexOf(status), named, reference, past] as const
    return withRecord && record !== undefined ? [...row, record] : row
  }
  return (outcome: Outcome.Outcome, stake: Stakes.Stake): OutcomeRow => {
    const withRecord = outcome.outcome !== "matched"
    const present = rare.filter((key) => outcome[key] !== undefined).map((key) => [key, outcome[key]] as const)
    return [
      outcome.id,
      kinds.indexOf(outcome.outcome),
      codes.indexOf(outcome.code),
      outcome.final ? 1 : 0,
      outcome.deposits.map((entry) => entryRow(entry, withRecord)),
      outcome.transfers.map((entry) => entryRow(entry, withRecord)),
      outcome.lagMs,
      outcome.residual,
      outcome.decidedBy === undefined ? -1 : deciders.indexOf(outcome.decidedBy),
      outcome.explanation,
      outcome.candidates.map(({ id, reason, side }) => [sides.indexOf(side), id, texts.number(reason)]),
      present.length === 0 ? 0 : Object.fromEntries(present),
      texts.number(stake.asset === "" ? undefined : stake.asset),
      stake.amount,
      stake.worth ?? 0,
      differenceRow(stake.difference),
      texts.number(FinalText.of(outcome, at))
    ]
  }
}

/** The part of a row that a list of fewer columns needs. It can be made without reading the entries. */
export interface Glance extends Stakes.Stake {
  readonly id: string
  readonly kind: Outcome.Kind
  readonly code: Outcome.Code
  /** The time of the earliest entry, Unix ms; null without entries. */
  readonly at: number | null
  /** The time by which it belongs to a day: of its first deposit, or without one of its first transfer, Unix ms; null without entries. */
  readonly ofDay: number | null
  /** The asset of the stake and the assets of the entries, each once. */
  readonly assets: ReadonlyArray<string>
  /** The accounts of the entries, each once. */
  readonly accounts: ReadonlyArray<string>
  readonly deposits: number
  readonly transfers: number
  readonly explanation: string
  /** Whether it is final, or when it may become so, in words. */
  readonly finality: string
  /** Whether a person accepted it. */
  readonly isAccepted: boolean
  /** Who accepted it, with the word that says why; null where nobody did. */
  readonly accepted: Pick<Outcome.Accepted, "by" | "reason"> | null
  /** What an undetermined outcome lacks: the same text where it is the same. Null for all others. */
  readonly cause: string | null
}

/** Reads rows whose texts are all there. */
export const reader = (all: ReadonlyArray<string>) => {
  const text = Texts.reader(all)
  const entry = (side: Entry.Side) => (row: EntryRow): Entry.Entry => {
    const [id, asset, amount, at, status, named, reference, past, record] = row
    const known = places.flatMap((place, index) => {
      const value = text(named[index] ?? 0)
      return value === undefined ? [] : [[place, value] as const]
    })
    return {
      side,
      id,
      asset: text(asset) ?? "",
      amount,
      at,
      status: statuses[status] ?? "unknown",
      ...(reference === 0 ? {} : { reference }),
      ...Object.fromEntries(known),
      ...(past === 0 ? {} : { past }),
      ...(record === undefined ? {} : { record })
    }
  }
  const kindOf = (row: OutcomeRow): Outcome.Kind => kinds[row[1]] ?? "undetermined"
  const codeOf = (row: OutcomeRow): Outcome.Code => codes[row[2]] ?? "bad-record"
  return {
    outcome: (row: OutcomeRow): Outcome.Outcome => {
      const [id, , , final, deposits, transfers, lagMs, residual, decider, explanation, candidates, others] = row
      const decidedBy = deciders[decider]
      return {
        id,
        outcome: kindOf(row),
        code: codeOf(row),
        final: final === 1,
        deposits: deposits.map(entry("deposit")),
        transfers: transfers.map(entry("transfer")),
        lagMs,
        residual,
        ...(decidedBy === undefined ? {} : { decidedBy }),
        explanation,
        candidates: candidates.map(([side, other, reason]) => ({
          side: sides[side] ?? "deposit",
          id: other,
          reason: text(reason) ?? ""
        })),
        ...(others === 0 ? {} : others)
      }
    },
    glance: (row: OutcomeRow): Glance => {
      const [id, , , , deposits, transfers, , , , explanation, , others, asset, amount, worth, difference, finality] =
        row
      let at: number | null = null
      const assets = new Set([text(asset) ?? ""])
      const accounts: Array<string> = []
      for (const [, own, , time, , [account = 0]] of [...deposits, ...transfers]) {
        if (at === null || time < at) at = time
        assets.add(text(own) ?? "")
        const name = text(account)
        if (name !== undefined && !accounts.includes(name)) accounts.push(name)
      }
      const [kind, code] = [kindOf(row), codeOf(row)]
      return {
        id,
        kind,
        code,
        asset: text(asset) ?? "",
        amount,
        difference: differenceOf(difference),
        worth: worth === 0 ? null : worth,
        at,
        ofDay: (deposits[0] ?? transfers[0])?.[3] ?? null,
        assets: Array.from(assets),
        accounts,
        deposits: deposits.length,
        transfers: transfers.length,
        explanation,
        finality: text(finality) ?? "",
        accepted: others === 0 ? null : others.accepted ?? null,
        isAccepted: others !== 0 && others.accepted !== undefined,
        cause: kind === "undetermined" ? Gaps.causeOf({ code, explanation, ...(others === 0 ? {} : others) }) : null
      }
    },
    /** Returns every text of the row that a person may look for, as it came. */
    searchable: (row: OutcomeRow): string => {
      const parts = [row[0], codeOf(row), Titles.title(codeOf(row), 1), row[9]]
      for (const [id, asset, amount, , , named, reference] of [...row[4], ...row[5]]) {
        parts.push(id, text(asset) ?? "", amount)
        if (reference !== 0) parts.push(reference)
        for (const number of named) parts.push(text(number) ?? "")
      }
      for (const [, id, reason] of row[10]) parts.push(id, text(reason) ?? "")
      const { bad, rule } = row[11] === 0 ? {} : row[11]
      if (rule !== undefined) parts.push(rule)
      if (bad !== undefined) parts.push(bad.source, bad.reason, bad.raw)
      return parts.join("\n")
    }
  }
}
export type Reader = ReturnType<typeof reader>
