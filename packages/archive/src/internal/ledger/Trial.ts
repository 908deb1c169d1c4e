/** What somebody wants to decide is tried against the ledger and the records, and becomes the rows that would follow the head. */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { DatabaseError } from "../../ArchiveError.ts"
import * as Decision from "../../Decision.ts"
import * as DecisionError from "../../DecisionError.ts"
import * as Acceptable from "./Acceptable.ts"
import * as Chain from "./Chain.ts"
import * as Contradictions from "./Contradictions.ts"
import * as Facts from "./Facts.ts"
import * as Ledger from "./Ledger.ts"
import * as Subjects from "./Subjects.ts"

type Named = Pick<Decision.Subject, "id" | "side">

export interface Asked {
  readonly acts: ReadonlyArray<Decision.Act>
  readonly author: Decision.Author
  readonly at: number
  readonly seen?: number
}

export interface Made {
  readonly body: Decision.Body
  readonly row: Chain.Row
}

const of = (side: Named["side"]) => (id: string): Named => ({ side, id })

/** The entries that an act names; one that accepts an outcome names none. */
const namedBy = (act: Decision.Act): ReadonlyArray<Named> => {
  switch (act.kind) {
    case "link":
      return [...act.deposits.map(of("deposit")), ...act.transfers.map(of("transfer"))]
    case "forbid":
      return [of("deposit")(act.deposit), of("transfer")(act.transfer)]
    case "exclude":
      return [of(act.side)(act.id)]
    case "note":
      return act.entries
    default:
      return []
  }
}

const refuse = (index: number, reason: DecisionError.Reason) =>
  Effect.fail(new DecisionError.DecisionError({ index, reason }))

/** Decisions by the entries that they are about, and by their numbers. */
const index = (decisions: ReadonlyArray<Decision.Decision>) => {
  const byNumber = new Map<number, Decision.Decision>()
  const byEntry = new Map<string, Set<number>>()
  const add = (decision: Decision.Decision): void => {
    byNumber.set(decision.body.number, decision)
    for (const entry of Decision.subjects(decision.body)) {
      const key = Subjects.keyOf(entry)
      byEntry.set(key, (byEntry.get(key) ?? new Set()).add(decision.body.number))
    }
  }
  for (const decision of decisions) add(decision)
  return {
    add,
    of: (number: number) => byNumber.get(number),
    /** Those about any of these entries, the first one first. */
    about: (entries: ReadonlyArray<Named>): ReadonlyArray<Decision.Decision> =>
      Array.from(new Set(entries.flatMap((entry) => Array.from(byEntry.get(Subjects.keyOf(entry)) ?? []))))
        .toSorted((a, b) => a - b)
        .flatMap((number) => byNumber.get(number) ?? [])
  }
}

/** What would follow the ledger as it is. */
export const make = (records: Subjects.Records, breaks: Acceptable.Breaks) =>
  Effect.fnUntraced(function*({ acts, at, author, seen }: Asked, ledger: Ledger.Read): Effect.fn.Return<
    ReadonlyArray<Made>,
    DatabaseError | DecisionError.DecisionError
  > {
    let head = ledger.head
    const begin = head.number
    const told = new Map<string, Acceptable.Break>()
    for (const act of acts) {
      if (act.kind !== "accept") continue
      const found = yield* breaks(act.outcome, ledger.executions)
      if (Option.isSome(found)) told.set(act.outcome, found.value)
    }
    const members = Array.from(told.values()).flatMap(({ outcome: { deposits, transfers } }) =>
      deposits.concat(transfers)
    )
    const now = Subjects.lookup(yield* Subjects.beside(records, [...acts.flatMap(namedBy), ...members]))
    const known = index(ledger.decisions)

    /** Fails where somebody decided on one of these entries meanwhile. */
    const upToDate = Effect.fnUntraced(function*(index: number, entries: ReadonlyArray<Named>) {
      if (seen === undefined) return yield* Effect.void
      for (const { body, revokedBy } of known.about(entries)) {
        const says = Contradictions.says(body)
        if (body.number > seen && body.number <= begin) {
          return yield* refuse(index, new DecisionError.Outdated({ decision: body.number, says }))
        }
        if (revokedBy !== undefined && revokedBy > seen && revokedBy <= begin) {
          const says = Contradictions.says({ ...body, kind: "revoke", decision: body.number })
          return yield* refuse(index, new DecisionError.Outdated({ decision: revokedBy, says }))
        }
      }
      return yield* Effect.void
    })

    /** Gives the entries as they are now; a note may be about one that has vanished. */
    const subjects = Effect.fnUntraced(function*(index: number, act: Decision.Act) {
      const found: Array<Decision.Subject> = []
      const taken = new Set<string>()
      for (const { id, side } of namedBy(act)) {
        const key = Subjects.keyOf({ side, id })
        if (taken.has(key)) return yield* refuse(index, new DecisionError.Repeated({ side, id }))
        taken.add(key)
        const kept = now({ side, id })
        const hasVanished = kept?.hasVanished === true
        if (kept === undefined || (hasVanished && act.kind !== "note")) {
          return yield* refuse(index, new DecisionError.UnknownEntry({ side, id, hasVanished }))
        }
        found.push(kept.subject)
      }
      return found
    })

    /** Gives what is accepted, as the books tell it. */
    const facts = Effect.fnUntraced(function*(index: number, act: Extract<Decision.Act, { kind: "accept" }>) {
      const { outcome } = act
      const found = told.get(outcome)
      if (found === undefined) return yield* refuse(index, new DecisionError.NotBooked({ outcome }))
      const detail = Acceptable.objection(found, act, now)
      if (detail !== undefined) {
        return yield* refuse(index, new DecisionError.NotAcceptable({ outcome, detail }))
      }
      return { ...Facts.of(found.outcome), outcome, ...(found.outcome.final ? {} : { provisional: true }) }
    })

    const notRevocable = (index: number, decision: number, detail: string) =>
      refuse(index, new DecisionError.NotRevocable({ decision, detail }))

    /** Fails where a decision does not stand, so that nothing could take it back. */
    const revocable = Effect.fnUntraced(function*(index: number, number: number) {
      const target = known.of(number)
      if (target === undefined) {
        const detail = number <= head.number
          ? "this row of the ledger is an execution of the books"
          : "the ledger has none of this number"
        return yield* notRevocable(index, number, detail)
      }
      if (target.body.kind === "revoke") {
        return yield* notRevocable(index, number, "it is a revocation; what it took back can be decided again")
      }
      if (target.revokedBy !== undefined) {
        return yield* notRevocable(index, number, `decision ${target.revokedBy} did so already`)
      }
      yield* upToDate(index, Decision.subjects(target.body))
      known.add({ ...target, revokedBy: head.number + 1 })
      return yield* Effect.void
    })

    /** Fails where a decision that holds says otherwise. */
    const free = Effect.fnUntraced(function*(index: number, said: Contradictions.Said) {
      for (const { body, revokedBy } of known.about(said.entries)) {
        if (revokedBy !== undefined || !Decision.isFollowed(body) || !Contradictions.contradict(body, said)) continue
        const says = Contradictions.says(body)
        return yield* refuse(index, new DecisionError.Contradicted({ decision: body.number, says }))
      }
      return yield* Effect.void
    })

    const made: Array<Made> = []
    for (const [index, act] of acts.entries()) {
      const accepted = act.kind === "accept" ? yield* facts(index, act) : undefined
      const entries = accepted?.entries ?? (yield* subjects(index, act))
      yield* upToDate(index, entries)
      if (act.kind === "revoke") yield* revocable(index, act.decision)
      else if (act.kind !== "note") yield* free(index, { kind: act.kind, entries })
      const about = Arr.isReadonlyArrayNonEmpty(entries) ? { entries } : {}
      const content = act.kind === "revoke"
        ? { kind: act.kind, decision: act.decision, words: act.words }
        : act.kind === "note"
        ? { kind: act.kind, words: act.words, ...about }
        : { kind: act.kind, reason: act.reason, words: act.words, ...accepted, ...about }
      const row = Chain.next(head, { ...content, at, ...author })
      const body = Option.getOrThrow(Ledger.decode(row))
      made.push({ row, body })
      known.add({ id: row.id, body })
      head = { number: row.number, id: row.id }
    }
    return made
  })
