/**
 * Takes finality from outcomes whose entries could belong to each other after all. A rule compares only the entries that
 * earlier rules left open. So an entry that was left over or is short of a counterpart was never compared with an entry that
 * an earlier rule had taken. Where two such entries could be counterparts, none of their outcomes is final, and each names the
 * other.
 */
import * as Entry from "../../../Entry.ts"
import type * as Outcome from "../../../Outcome.ts"
import type * as Because from "../../explain/Because.ts"
import type { Candidate } from "../../explain/Unexplained.ts"
import * as Steps from "../../Steps.ts"
import type * as CandidateGraph from "../candidates/CandidateGraph.ts"
import * as Unsettled from "../candidates/Unsettled.ts"
import { type DraftOf, draftsOf } from "../evidence/TakenCandidates.ts"
import { at, item } from "../ledger/Column.ts"
import type { Draft } from "../ledger/Draft.ts"
import * as Kind from "../ledger/Kind.ts"
import * as Ledger from "../ledger/Ledger.ts"
import { opposite } from "../ledger/Side.ts"
import type { Workbench } from "../Workbench.ts"

/** The largest number of entries that are named in one outcome. */
const NAMED = 3

const sides = Entry.Side.literals

/** Codes that a link, a reference or a reversal decided. Time and amount have no say in them. */
const certain: ReadonlySet<Outcome.Code> = new Set(["linked", "reference", "reversed"])

type MayBelong = Extract<Because.Note, { readonly code: "may-belong-here" }>

type How = MayBelong["how"]

/** Entries that could be matched with each other, if they were not in other outcomes. */
interface Connection {
  readonly parts: ReadonlyArray<CandidateGraph.Component>
  /** The reason why one of them could be the counterpart of the other. */
  readonly how: How
}

type Of<A> = (side: Entry.Side, index: number) => A

interface Named {
  readonly candidate: Candidate
  /** The time of that entry, Unix ms. */
  readonly at: number
  /** The time between the two, ms. */
  readonly apart: number
}

/** The nearest comes first. Equally near ones come in an order of their own, whatever else is in the ledger. */
const compare = (one: Named, other: Named): number =>
  one.apart - other.apart ||
  sides.indexOf(one.candidate.side) - sides.indexOf(other.candidate.side) ||
  one.at - other.at ||
  (one.candidate.id < other.candidate.id ? -1 : 1)

/** Finds the references that entries of both sides of an outcome carry. */
const sharedReferences = ({ deposits, policy, transfers }: Ledger.Ledger): (draft: Draft) => ReadonlySet<number> => {
  const known = new Map<Draft, ReadonlySet<number>>()
  return (draft) => {
    const before = known.get(draft)
    if (before !== undefined) return before
    const ofTransfers = new Set(draft.transfers.map((transfer) => at(transfers.reference, transfer)))
    const ofDeposits = policy.reference === "ignore"
      ? []
      : draft.deposits.map((deposit) => at(deposits.reference, deposit))
    const shared = new Set(ofDeposits.filter((reference) => reference >= 0 && ofTransfers.has(reference)))
    known.set(draft, shared)
    return shared
  }
}

interface Question {
  /** Whether only time or amount put the entry into its outcome. */
  readonly mayGo: Of<boolean>
  /** Whether the entry may belong elsewhere: it was left over, is short of counterparts, or was matched on weak evidence. */
  readonly isLoose: Of<boolean>
}

const question = ({ ledger }: Workbench, draftOf: DraftOf): Question => {
  const sharedOf = sharedReferences(ledger)
  const kindOf: Of<Outcome.Kind | undefined> = (side, index) => {
    const code = draftOf(side, index)?.code
    return code === undefined || certain.has(code) ? undefined : Kind.of(code)
  }
  const mayGo: Of<boolean> = (side, index) => {
    const { eligible, reference } = ledger[`${side}s`]
    const [draft, kind] = [draftOf(side, index), kindOf(side, index)]
    return at(eligible, index) === 1 && kind !== undefined && kind !== "set-aside" &&
      !(draft !== undefined && sharedOf(draft).has(at(reference, index)))
  }
  const isShort: Of<boolean> = (side, index) => {
    const draft = draftOf(side, index)
    return draft === undefined || draft[`${side}s`].length > (draft.matchedCount ?? 0)
  }
  return {
    mayGo,
    isLoose: (side, index) =>
      at(ledger[`${side}s`].against, index) === 1
        ? kindOf(side, index) !== undefined
        : mayGo(side, index) && kindOf(side, index) !== "matched" && isShort(side, index)
  }
}

// Connects entries that may belong elsewhere with each other, in every way in which they could belong together.
const connections = function*({ ledger }: Workbench, isLoose: Of<boolean>): Generator<Connection, void, void> {
  const isDeposit = (index: number): boolean => isLoose("deposit", index)
  const isForth = (index: number): boolean => isLoose("transfer", index) && at(ledger.transfers.against, index) === 0
  const isBack = (index: number): boolean => isLoose("transfer", index) && at(ledger.transfers.against, index) === 1
  yield { parts: Unsettled.near(ledger, isDeposit, isForth), how: "horizon" }
  yield { parts: Unsettled.equals(ledger, isDeposit, isBack), how: "other-direction" }
  yield { parts: Unsettled.elsewhere(ledger, isDeposit, isForth), how: "other-account" }
}

// Returns the drafts. Those whose entries could belong to each other are not final any more, and name these entries.
export const lastLook = function*(
  bench: Workbench,
  drafts: ReadonlyArray<Draft>
): Steps.Steps<ReadonlyArray<Draft>> {
  const { ledger } = bench
  const draftOf = draftsOf(drafts)
  const { isLoose, mayGo } = question(bench, draftOf)
  const doubted = new Map<Draft, Map<string, Named>>()

  const doubt = (draft: Draft | undefined): Map<string, Named> => {
    const named = (draft === undefined ? undefined : doubted.get(draft)) ?? new Map<string, Named>()
    if (draft !== undefined) doubted.set(draft, named)
    return named
  }
  const where = (side: Entry.Side, index: number): Pick<MayBelong, "by" | "outcome"> => {
    const draft = draftOf(side, index)
    const code = draft?.code
    const partners = draft?.[`${opposite[side]}s`] ?? []
    const [partner] = partners
    return partner === undefined || partners.length > 1 || code === undefined || Kind.of(code) !== "matched"
      ? code === undefined ? {} : { outcome: code }
      : { by: { side: opposite[side], id: item(ledger[`${opposite[side]}s`].entries, partner).id } }
  }
  const name = (draft: Draft | undefined, side: Entry.Side, index: number, how: How, apart: number): void => {
    const { at, id } = item(ledger[`${side}s`].entries, index)
    const named = doubt(draft)
    const known = named.get(`${side} ${id}`)
    if (known !== undefined && known.apart <= apart) return
    named.set(`${side} ${id}`, {
      candidate: { side, id, because: { code: "may-belong-here", how, ...where(side, index) } },
      at,
      apart
    })
  }

  const look = (
    { how, parts }: Connection,
    counts: (deposit: number, transfer: number) => boolean = () => true
  ): Steps.Steps<void> =>
    Steps.forEach(parts, (part) => {
      const owners = new Set([
        ...part.deposits.map((deposit) => draftOf("deposit", deposit)),
        ...part.transfers.map((transfer) => draftOf("transfer", transfer))
      ])
      if (owners.size < 2) return
      bench.finality.lookAmong(part)
      if (part.edges === undefined) {
        for (const owner of owners) doubt(owner)
        return
      }
      const { edges } = part
      edges.deposit.forEach((position, edge) => {
        const [deposit, transfer] = [item(part.deposits, position), item(part.transfers, at(edges.transfer, edge))]
        const [left, right] = [draftOf("deposit", deposit), draftOf("transfer", transfer)]
        if (left === right || !counts(deposit, transfer)) return
        const apart = Math.abs(Ledger.lag(ledger, deposit, transfer))
        name(left, "transfer", transfer, how, apart)
        name(right, "deposit", deposit, how, apart)
      })
    })

  for (const connection of connections(bench, isLoose)) {
    yield
    yield* look(connection)
  }
  const mayBeFree = (side: Entry.Side, index: number): boolean =>
    isLoose(side, index) || !bench.finality.isAtRest(side, index)
  yield* look(
    {
      parts: Unsettled.settledLater(ledger, (index) => mayGo("deposit", index), (index) => mayGo("transfer", index)),
      how: "settlement"
    },
    (deposit, transfer) => mayBeFree("deposit", deposit) || mayBeFree("transfer", transfer)
  )
  return drafts.map((draft) => {
    const named = doubted.get(draft)
    if (named === undefined) return draft
    // Time decides it, and may leave it with the doubt.
    if (isUndecided(draft)) return { ...draft, isContested: true }
    return withDoubt(draft, Array.from(named.values()))
  })
}

/** Whether the outcome says itself that it is not decided. */
const isUndecided = ({ code }: Draft): boolean => {
  const kind = Kind.of(code)
  return kind === "pending" || kind === "undetermined"
}

const withDoubt = (draft: Draft, named: ReadonlyArray<Named>): Draft => {
  const { because, candidates = [] } = draft
  const known = new Set(candidates.map(({ id, side }) => `${side} ${id}`))
  const fresh = named
    .filter(({ candidate: { id, side } }) => !known.has(`${side} ${id}`))
    .toSorted(compare)
    .slice(0, NAMED)
  return {
    ...draft,
    finality: "never",
    candidates: [...candidates, ...fresh.map(({ candidate }) => candidate)],
    because: { ...because, doubts: [...because.doubts ?? [], "in-another-outcome"] }
  }
}
