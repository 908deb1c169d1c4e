/**
 * Decisions become part of the policy of a run: links, forbidden pairs and exclusions, as a policy file has them. The ledger wins
 * where the file says otherwise, and whatever is not followed is told.
 */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import type { DatabaseError } from "../../ArchiveError.ts"
import * as Decision from "../../Decision.ts"
import type * as Database from "../sql/Database.ts"
import type * as Chain from "./Chain.ts"
import * as Changed from "./Changed.ts"
import * as Contradictions from "./Contradictions.ts"
import * as Ledger from "./Ledger.ts"
import * as Subjects from "./Subjects.ts"

/** What could not be followed. */
export interface Fault {
  /** The number of the decision. */
  readonly decision: number
  /** The decision itself is not followed, or a line of the policy because of it. */
  readonly of: "decision" | "policy"
  /** What is not followed, and why, in a sentence. */
  readonly text: string
  /** The entries that the sentence names. */
  readonly entries: ReadonlyArray<Pick<Decision.Subject, "id" | "side">>
}

/** A policy over which decisions were laid. */
export interface Overlaid {
  /** The end of the ledger up to which decisions were looked at: number 0 where the ledger is empty. */
  readonly head: Chain.Head
  readonly policy: Policy.Resolved
  /** So many rulings are part of the policy now. */
  readonly applied: number
  /** What people accepted, which changes no policy: each holds for an outcome that is still as it was. */
  readonly accepted: ReadonlyArray<Decision.Acceptance>
  readonly faults: ReadonlyArray<Fault>
}

const idsOf = ({ entries }: Decision.Ruling, side: Decision.Subject["side"]): ReadonlyArray<string> =>
  entries.filter((entry) => entry.side === side).map(({ id }) => id)

/** Says why a ruling cannot be followed any more; nothing where its entries are as they were. */
const dangling = (policy: Policy.Resolved, now: Subjects.Lookup) => {
  const aliasOf = Policy.aliasOf(policy)
  return (ruling: Decision.Ruling): string | undefined => {
    for (const was of ruling.entries) {
      const kept = now(was)
      const changed = Changed.of(was, kept)
      if (kept === undefined || changed !== undefined) return changed
      if (ruling.kind === "link" && Policy.statusOf(policy, was.side, kept.status) === "failed") {
        return `${Contradictions.named(was)} failed`
      }
    }
    const assets = new Set(ruling.entries.map(({ asset }) => aliasOf(asset)))
    return ruling.kind === "link" && assets.size > 1
      ? `it links ${Array.from(assets).join(" with ")}, which the policy does not call one asset`
      : undefined
  }
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
  line.entries.every((entry) => ruling.entries.some((one) => Subjects.keyOf(one) === Subjects.keyOf(entry)))

/** Names the decision to whoever reads the report. */
const why = ({ number, reason, words }: Decision.Ruling): string => `${words} (${reason}; decision ${number})`

/** A name that nobody checked is shown as what it is. */
export const author = ({ by, identity }: Decision.Author): string => identity === "claimed" ? `${by} (claimed)` : by

const overlay = (ruling: Decision.Ruling): Partial<Pick<Policy.Resolved, "exclude" | "forbid" | "links">> => {
  const told = { by: author(ruling), reason: why(ruling) }
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
  now: Subjects.Lookup
): Omit<Overlaid, "accepted" | "head"> => {
  const danglingOf = dangling(policy, now)
  const faults: Array<Fault> = []
  const tell = ({ number }: Decision.Ruling, of: Fault["of"], { entries }: Contradictions.Said, text: string) => {
    faults.push({ decision: number, of, text, entries: entries.map(({ id, side }) => ({ side, id })) })
  }
  const sound = rulings.filter((ruling) => {
    const fault = danglingOf(ruling)
    if (fault === undefined) return true
    const says = Contradictions.says(ruling)
    tell(ruling, "decision", ruling, `Decision ${ruling.number} ${says}, and is not followed: ${fault}.`)
    return false
  })

  /** Whether a line of the file goes on to hold. */
  const holds = (line: Line): boolean => {
    for (const ruling of sound) {
      if (isSame(line, ruling)) return false
      if (!Contradictions.contradict(line, ruling)) continue
      const says = Contradictions.says(ruling)
      tell(ruling, "policy", ruling, `${line.path} of the policy is not followed: decision ${ruling.number} ${says}.`)
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

/** What a run reads: everything of an interval (Unix ms), and records of some moments besides. */
export interface Reach extends Coverage.Interval {
  readonly also?: ReadonlyArray<number>
}

/** Tells whether a run may come to an entry of a decision: it reads the entry's time, or the policy links the entry. */
const isReached = ({ links }: Policy.Resolved, { also = [], from, to }: Reach, now: Subjects.Lookup) => {
  const moments = new Set(also)
  const linked = new Set(
    links.flatMap((link, index) => lines.link(link, index).entries).map(Subjects.keyOf)
  )
  const isRead = (at: number): boolean => (at >= from && at < to) || moments.has(at)
  return ({ entries }: Decision.Followed): boolean =>
    entries.some((was) => isRead(was.at) || isRead(now(was)?.subject.at ?? was.at) || linked.has(Subjects.keyOf(was)))
}

/**
 * Lays the decisions over a policy that hold and are about entries that a run reads. Decisions that are only proposed are followed as
 * if they had been made. Of a ledger that is not as it was written no decision is followed.
 */
export const make = (database: Database.Service) => {
  const ledger = Ledger.make(database)
  const records = Subjects.records(database)
  return Effect.fnUntraced(function*(
    policy: Policy.Resolved,
    reach: Reach,
    proposed: ReadonlyArray<Decision.Body> = []
  ): Effect.fn.Return<Overlaid, DatabaseError> {
    const { decisions, fault, head } = yield* ledger.read
    if (fault !== undefined) {
      const text = `No decision is followed, because the ledger is damaged: ${fault}.`
      return {
        head,
        policy,
        applied: 0,
        accepted: [],
        faults: [{ decision: head.number + 1, of: "decision", text, entries: [] }]
      }
    }
    const revoked = new Set(proposed.flatMap((body) => body.kind === "revoke" ? [body.decision] : []))
    const approved = new Set(proposed.flatMap((body) => body.kind === "approve" ? [body.decision] : []))
    const isHeld = (decision: Decision.Decision): boolean =>
      Decision.holds(decision) || (Decision.isProposed(decision) && approved.has(decision.body.number))
    const all = [...decisions.filter(isHeld).map(({ body }) => body), ...proposed]
      .filter(Decision.isFollowed)
      .filter(({ number }) => !revoked.has(number))
    const rulings = all.filter(Decision.isRuling)
    const named = rulings.flatMap(({ entries }) => entries)
    const now = Subjects.lookup(named.length === 0 ? [] : yield* Subjects.beside(records, named))
    const reached = isReached(policy, reach, now)
    const accepted = all.filter(Decision.isAcceptance).filter(reached)
    return { head, ...lay(policy, rulings.filter(reached), now), accepted }
  })
}
