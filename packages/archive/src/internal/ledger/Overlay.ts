/**
 * Decisions become part of the policy of a run: links, forbidden pairs and exclusions, as a policy file has them. The ledger wins
 * where the file says otherwise, and whatever is not followed is told.
 */
import * as Amount from "@tallystick/core/Amount"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import type { DatabaseError } from "../../ArchiveError.ts"
import * as Decision from "../../Decision.ts"
import type * as Database from "../sql/Database.ts"
import type * as Chain from "./Chain.ts"
import * as Contradictions from "./Contradictions.ts"
import * as LedgerTable from "./LedgerTable.ts"
import * as Subjects from "./Subjects.ts"

/** Gives the entry as the archive keeps it now; nothing where it is gone or has vanished. */
type Lookup = (named: Pick<Decision.Subject, "id" | "side">) => Decision.Subject | undefined

/** A decision that cannot be followed, or a line of the policy that is not followed because of one. */
interface Fault {
  /** The number of the decision. */
  readonly decision: number
  /** What is not followed, and why, in a sentence. */
  readonly text: string
}

/** A policy over which decisions were laid. */
export interface Overlaid {
  /** The end of the ledger up to which decisions were looked at: number 0 where nothing was ever decided. */
  readonly head: Chain.Head
  readonly policy: Policy.Resolved
  /** So many rulings are part of the policy now. */
  readonly applied: number
  readonly faults: ReadonlyArray<Fault>
}

const idsOf = ({ entries }: Decision.Ruling, side: Decision.Subject["side"]): ReadonlyArray<string> =>
  entries.filter((entry) => entry.side === side).map(({ id }) => id)

/** Says why a ruling cannot be followed any more; nothing where its entries are as they were. */
const dangling = (ruling: Decision.Ruling, now: Lookup, aliasOf: (asset: string) => string): string | undefined => {
  for (const was of ruling.entries) {
    const is = now(was)
    const name = Contradictions.named(was)
    if (is === undefined) return `${name} is gone`
    if (is.asset !== was.asset) return `${name} is of ${is.asset} now, and was of ${was.asset}`
    if (Amount.canonical(is.amount) !== Amount.canonical(was.amount)) {
      return `the amount of ${name} is ${is.amount} now, and was ${was.amount}`
    }
  }
  const assets = new Set(ruling.entries.map(({ asset }) => aliasOf(asset)))
  return ruling.kind === "link" && assets.size > 1
    ? `it links ${Array.from(assets).join(" with ")}, which the policy does not call one asset`
    : undefined
}

/** A line of the policy file that says something of entries. */
interface Line extends Contradictions.Said {
  readonly path: string
}

const SIDES = ["deposit", "transfer"] as const

const of = (side: Decision.Subject["side"]) => (id: string) => ({ side, id })

const lines = {
  link: ({ deposits, transfers }: Policy.Resolved["links"][number], index: number): Line => ({
    kind: "link",
    path: `links[${index}]`,
    entries: [...deposits.map(of("deposit")), ...transfers.map(of("transfer"))]
  }),
  forbid: ({ deposit, transfer }: Policy.Resolved["forbid"][number], index: number): Line => ({
    kind: "forbid",
    path: `forbid[${index}]`,
    entries: [{ side: "deposit", id: deposit }, { side: "transfer", id: transfer }]
  }),
  exclude: (side: Decision.Subject["side"], id: string, index: number): Line => ({
    kind: "exclude",
    path: `exclude[${index}]`,
    entries: [{ side, id }]
  })
}

/** Whether a line of the file says the same as a ruling. */
const isSame = (line: Line, ruling: Decision.Ruling): boolean =>
  line.kind === ruling.kind && line.entries.length === ruling.entries.length &&
  line.entries.every((entry) => ruling.entries.some((one) => Contradictions.keyOf(one) === Contradictions.keyOf(entry)))

/** Names the decision to whoever reads the report. */
const why = ({ number, reason, words }: Decision.Ruling): string => `${words} (${reason}; decision ${number})`

const overlay = (ruling: Decision.Ruling): Partial<Pick<Policy.Resolved, "exclude" | "forbid" | "links">> => {
  const told = { by: ruling.by, reason: why(ruling) }
  const [deposits, transfers] = [idsOf(ruling, "deposit"), idsOf(ruling, "transfer")]
  const [deposit, ...otherDeposits] = deposits
  const [transfer, ...otherTransfers] = transfers
  if (ruling.kind === "exclude") return { exclude: ruling.entries.map(({ id, side }) => ({ side, id, ...told })) }
  if (deposit === undefined || transfer === undefined) return {}
  return ruling.kind === "link"
    ? { links: [{ deposits: [deposit, ...otherDeposits], transfers: [transfer, ...otherTransfers], ...told }] }
    : { forbid: [{ deposit, transfer, ...told }] }
}

/** Lays rulings that hold over a policy. `rulings` stand in the order of their numbers. */
const lay = (
  policy: Policy.Resolved,
  rulings: ReadonlyArray<Decision.Ruling>,
  now: Lookup
): Omit<Overlaid, "head"> => {
  const aliasOf = Policy.aliasOf(policy)
  const faults: Array<Fault> = []
  const sound = rulings.filter((ruling) => {
    const fault = dangling(ruling, now, aliasOf)
    if (fault !== undefined) {
      const text = `Decision ${ruling.number} ${Contradictions.says(ruling)}, and is not followed: ${fault}.`
      faults.push({ decision: ruling.number, text })
    }
    return fault === undefined
  })

  /** Whether a line of the file goes on to hold. */
  const holds = (line: Line): boolean => {
    for (const ruling of sound) {
      if (isSame(line, ruling)) return false
      if (!Contradictions.contradict(line, ruling)) continue
      const text = `${line.path} of the policy is not followed: decision ${ruling.number} ${
        Contradictions.says(ruling)
      }.`
      faults.push({ decision: ruling.number, text })
      return false
    }
    return true
  }
  /** An exclusion without a side is of both sides, and may go on to hold on one of them. */
  const excluded = (exclusion: Policy.Resolved["exclude"][number], index: number): Policy.Resolved["exclude"] => {
    const asked = exclusion.side === undefined ? SIDES : [exclusion.side]
    const left = asked.filter((side) => holds(lines.exclude(side, exclusion.id, index)))
    return left.length === asked.length ? [exclusion] : left.map((side) => Object.assign({}, exclusion, { side }))
  }

  const laid = sound.map(overlay)
  return {
    policy: {
      ...policy,
      links: [
        ...policy.links.filter((link, index) => holds(lines.link(link, index))),
        ...laid.flatMap(({ links = [] }) => links)
      ],
      forbid: [
        ...policy.forbid.filter((forbid, index) => holds(lines.forbid(forbid, index))),
        ...laid.flatMap(({ forbid = [] }) => forbid)
      ],
      exclude: [
        ...policy.exclude.flatMap(excluded),
        ...laid.flatMap(({ exclude = [] }) => exclude)
      ]
    },
    applied: sound.length,
    faults
  }
}

/**
 * Lays the decisions over a policy that hold and are about entries of an interval (Unix ms). Decisions that are only proposed
 * are followed as if they had been made.
 */
export const make = (database: Database.Service) => {
  const table = LedgerTable.make(database)
  const records = Subjects.records(database)
  return Effect.fnUntraced(function*(
    policy: Policy.Resolved,
    interval: Coverage.Interval,
    proposed: ReadonlyArray<Decision.Body> = []
  ): Effect.fn.Return<Overlaid, DatabaseError> {
    const head = yield* table.head
    const held = head.number === 0 ? [] : yield* table.within(interval, head)
    const revoked = new Set(proposed.flatMap((body) => body.kind === "revoke" ? [body.decision] : []))
    const rulings = [...held.map(({ body }) => body), ...proposed]
      .filter(Decision.isRuling)
      .filter(({ number }) => !revoked.has(number))
    const named = rulings.flatMap(({ entries }) => entries)
    const kept = named.length === 0 ? [] : yield* Subjects.beside(records, named)
    return { head, ...lay(policy, rulings, Subjects.lookup(kept)) }
  })
}
