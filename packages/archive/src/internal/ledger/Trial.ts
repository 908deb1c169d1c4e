/** What somebody wants to decide is tried against the ledger and the records, and becomes the rows that would follow the head. */
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { DatabaseError } from "../../ArchiveError.ts"
import * as Decision from "../../Decision.ts"
import * as DecisionError from "../../DecisionError.ts"
import * as Acceptable from "./Acceptable.ts"
import * as Approval from "./Approval.ts"
import * as Chain from "./Chain.ts"
import * as Contradictions from "./Contradictions.ts"
import * as Facts from "./Facts.ts"
import * as Holding from "./Holding.ts"
import * as Ledger from "./Ledger.ts"
import * as Repetition from "./Repetition.ts"
import * as Subjects from "./Subjects.ts"

type Named = Pick<Decision.Subject, "id" | "side">

export interface Asked {
  readonly acts: ReadonlyArray<Decision.Act>
  readonly author: Decision.Author
  readonly at: number
  readonly seen?: number | Chain.Head
}

export interface Made {
  readonly decision: Decision.Decision
  /** Absent where the author had made this very decision already, and had not seen it. */
  readonly row?: Chain.Row
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

/** What the ledger keeps of an act, beside what was accepted. */
const said = (act: Decision.Act, entries: ReadonlyArray<Decision.Subject>) => {
  const { kind, words } = act
  if (act.kind === "revoke" || act.kind === "approve") {
    return { kind, decision: act.decision, ...(words === undefined ? {} : { words }) }
  }
  if (act.kind === "setting") return { kind, words, approvals: act.approvals, authors: act.authors }
  const about = Arr.isReadonlyArrayNonEmpty(entries) ? { entries } : {}
  return act.kind === "note" ? { kind, words, ...about } : { kind, words, reason: act.reason, ...about }
}

const refuse = (index: number, reason: DecisionError.Reason) =>
  Effect.fail(new DecisionError.DecisionError({ index, reason }))

/** Decisions by the entries that they are about, and by their numbers. */
const index = (decisions: ReadonlyArray<Decision.Decision>) => {
  const byNumber = new Map<number, Decision.Decision>()
  const byEntry = new Map<string, Array<number>>()
  const add = (decision: Decision.Decision): void => {
    const { number } = decision.body
    const isKnown = byNumber.has(number)
    byNumber.set(number, decision)
    if (isKnown) return
    for (const entry of Decision.subjects(decision.body)) {
      const key = Subjects.keyOf(entry)
      const numbers = byEntry.get(key)
      if (numbers === undefined) byEntry.set(key, [number])
      else numbers.push(number)
    }
  }
  for (const decision of decisions) add(decision)
  return {
    add,
    of: (number: number) => byNumber.get(number),
    /** Those about any of these entries, the first one first. */
    about: (entries: ReadonlyArray<Named>): ReadonlyArray<Decision.Decision> =>
      Array.from(new Set(entries.flatMap((entry) => byEntry.get(Subjects.keyOf(entry)) ?? [])))
        .toSorted((a, b) => a - b)
        .flatMap((number) => byNumber.get(number) ?? [])
  }
}

/** Tries an act behind those that were tried before it. One that is refused leaves no trace: the next is tried as if it had not been. */
type Try = (act: Decision.Act, index: number) => Effect.Effect<Made, DecisionError.DecisionError>

/** Reads what the acts are about, and gives how each is tried. */
const prepare = (records: Subjects.Records, breaks: Acceptable.Breaks) =>
  Effect.fnUntraced(function*(
    { acts, at, author, seen: looked }: Asked,
    ledger: Ledger.Read
  ): Effect.fn.Return<Try, DatabaseError> {
    let { head, settings } = ledger
    const seen = typeof looked === "object" ? looked.number : looked
    const begin = head.number
    const known = index(ledger.decisions)
    const written = Repetition.make(ledger.decisions, seen)
    /** The decisions that are to be approved. */
    const targets = acts.flatMap((act) => act.kind === "approve" ? known.of(act.decision)?.body ?? [] : [])
    const told = new Map<string, Acceptable.Break>()
    /** What the books told of these outcomes when the author looked, where they have gone on since. */
    const toldThen = new Map<string, Acceptable.Break>()
    const then = ledger.executions.filter(({ body }) => seen === undefined || body.number <= seen)
    for (const asked of [...acts, ...targets]) {
      if (asked.kind !== "accept") continue
      const found = yield* breaks(asked.outcome, ledger.executions)
      if (Option.isSome(found)) told.set(asked.outcome, found.value)
      if (then.length === ledger.executions.length) continue
      const before = yield* breaks(asked.outcome, then)
      if (Option.isSome(before)) toldThen.set(asked.outcome, before.value)
    }
    const members = Array.from(told.values()).flatMap(({ outcome: { deposits, transfers } }) =>
      deposits.concat(transfers)
    )
    const now = Subjects.lookup(
      yield* Subjects.beside(records, [
        ...acts.flatMap(namedBy),
        ...targets.flatMap((target) => Array.from(Decision.subjects(target))),
        ...members
      ])
    )

    /** Whether an author cannot know of a row of the ledger: somebody else wrote it after this one looked. */
    const isUnseen = (number: number): boolean => {
      const by = known.of(number)?.body
      const isOwn = by !== undefined && by.identity === author.identity && by.by === author.by
      return seen !== undefined && number > seen && number <= begin && !isOwn
    }

    /** Fails where somebody else decided on one of these entries meanwhile. */
    const upToDate = Effect.fnUntraced(function*(index: number, entries: ReadonlyArray<Named>) {
      if (seen === undefined) return yield* Effect.void
      for (const { body, revokedBy } of known.about(entries)) {
        const says = Contradictions.says(body)
        if (isUnseen(body.number)) {
          return yield* refuse(index, new DecisionError.Outdated({ decision: body.number, says }))
        }
        if (revokedBy !== undefined && isUnseen(revokedBy)) {
          const says = `revokes decision ${body.number}`
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
      const detail = Acceptable.objection(found, act, now) ?? Acceptable.unseen(toldThen.get(outcome), found)
      if (detail !== undefined) {
        return yield* refuse(index, new DecisionError.NotAcceptable({ outcome, detail }))
      }
      return { ...Facts.of(found.outcome), outcome, ...(found.outcome.final ? {} : { provisional: true }) }
    })

    const notRevocable = (index: number, decision: number, detail: string) =>
      refuse(index, new DecisionError.NotRevocable({ decision, detail }))

    /** Fails where a decision does not stand, so that nothing could take it back. */
    const revocable = Effect.fnUntraced(function*(index: number, number: number, isProposed: boolean) {
      const target = known.of(number)
      if (target === undefined) {
        const detail = number <= head.number
          ? "this row of the ledger is no decision"
          : "the ledger has none of this number"
        return yield* notRevocable(index, number, detail)
      }
      if (target.body.kind === "approve") {
        return yield* notRevocable(index, number, `it is an approval; revoke decision ${target.body.decision}`)
      }
      if (target.body.kind === "setting" && !Decision.isProposed(target)) {
        return yield* notRevocable(index, number, "it is a setting that holds, or held; set it anew")
      }
      if (target.body.kind === "revoke" && !Decision.isProposed(target)) {
        return yield* notRevocable(index, number, "it is a revocation; what it took back can be decided again")
      }
      if (target.revokedBy !== undefined) {
        return yield* notRevocable(index, number, `decision ${target.revokedBy} did so already`)
      }
      yield* upToDate(index, Decision.subjects(target.body))
      if (!isProposed) known.add({ ...target, revokedBy: head.number + 1 })
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

    /** Fails where this author cannot approve a decision. */
    const approvable = Effect.fnUntraced(function*(index: number, decision: number) {
      const target = known.of(decision)
      const outcome = (id: string) => Option.fromUndefinedOr(told.get(id))
      const taken = target?.body.kind === "revoke" ? known.of(target.body.decision) : undefined
      const detail = taken?.revokedBy === undefined
        ? Approval.objection(target, author, { entry: now, outcome })
        : `decision ${taken.revokedBy} revoked decision ${taken.body.number} already`
      if (target === undefined || detail !== undefined) {
        return yield* refuse(
          index,
          new DecisionError.NotApprovable({ decision, detail: detail ?? "the ledger has no decision of this number" })
        )
      }
      yield* upToDate(index, Decision.subjects(target.body))
      known.add({ ...target, approvedBy: head.number + 1 })
      if (target.body.kind === "setting") settings = target.body
      if (taken !== undefined) known.add({ ...taken, revokedBy: target.body.number })
      return yield* Effect.void
    })

    /** Fails where authors have to show a token, and this one shows none; who demands that has to show one too. */
    const trusted = (index: number, act: Decision.Act) => {
      const isDemanded = settings.authors === "token" || (act.kind === "setting" && act.authors === "token")
      return isDemanded && author.identity !== "token"
        ? refuse(index, new DecisionError.TokenDemanded({ by: author.by }))
        : Effect.void
    }

    /** Gives what this author wrote already and has not seen, because the answer was lost; fails where it was undone since. */
    const repeated = Effect.fnUntraced(function*(index: number, act: Decision.Act) {
      const { by, identity } = author
      const isAccepted = act.kind === "accept"
      const named = namedBy(act)
      const entries = named.flatMap((one) => now(one)?.subject ?? [])
      // The ledger has no decision on an entry that the archive does not keep.
      if (entries.length < named.length) return undefined
      const text = { ...said(act, entries), ...(isAccepted ? { outcome: act.outcome } : {}), by, identity }
      const found = written.find(
        { said: text, outcome: isAccepted ? told.get(act.outcome)?.outcome : undefined },
        known.of
      )
      return found?.undone === undefined ? found?.decision : yield* refuse(index, found.undone)
    })

    const hasSeenIt = typeof looked !== "object" || Ledger.goesThrough(ledger, looked)

    return Effect.fnUntraced(function*(act, index) {
      if (!hasSeenIt) return yield* refuse(index, new DecisionError.OtherLedger({ seen: seen ?? 0 }))
      yield* trusted(index, act)
      const decided = yield* repeated(index, act)
      if (decided !== undefined) return { decision: decided }
      const proposed = Holding.waits(act, settings, act.kind === "revoke" ? known.of(act.decision) : undefined)
      const accepted = act.kind === "accept" ? yield* facts(index, act) : undefined
      const entries = accepted?.entries ?? (yield* subjects(index, act))
      yield* upToDate(index, entries)
      if (act.kind === "revoke") yield* revocable(index, act.decision, proposed)
      else if (act.kind === "approve") yield* approvable(index, act.decision)
      else if (act.kind === "setting") settings = proposed ? settings : act
      else if (act.kind !== "note") yield* free(index, { kind: act.kind, entries })
      const row = Chain.next(head, { ...said(act, entries), ...accepted, at, ...author })
      const body = Option.getOrThrow(Ledger.decode(row))
      const decision: Decision.Decision = proposed ? { id: row.id, body, proposed } : { id: row.id, body }
      known.add(decision)
      written.add(decision)
      head = { number: row.number, id: row.id }
      return { row, decision }
    })
  })

/** What would follow the ledger as it is. */
export const make = (records: Subjects.Records, breaks: Acceptable.Breaks) => {
  const prepared = prepare(records, breaks)
  return {
    /** Gives all of the acts as rows, or fails with the first that is refused. */
    all: (asked: Asked, ledger: Ledger.Read) =>
      Effect.flatMap(prepared(asked, ledger), (one) => Effect.forEach(asked.acts, one)),
    /** Gives each act as a row, or why it is refused; those behind it are tried all the same. */
    each: (asked: Asked, ledger: Ledger.Read) =>
      Effect.flatMap(
        prepared(asked, ledger),
        (one) => Effect.forEach(asked.acts, (act, index) => Effect.result(one(act, index)))
      )
  }
}
