/** Holds entries of the other side against an entry: in what they agree, and what stands in the way of a link. */
import * as Amount from "@tallystick/core/Amount"
import * as Policy from "@tallystick/reconcile/Policy"
import * as BookState from "../../BookState.ts"
import type * as Candidate from "../../Candidate.ts"
import * as Decision from "../../Decision.ts"
import * as Execution from "../../Execution.ts"
import * as Contradictions from "../ledger/Contradictions.ts"
import * as Subjects from "../ledger/Subjects.ts"
import type { KeptEntry } from "./KeptEntries.ts"
import * as PairAlone from "./PairAlone.ts"
import * as PolicyLines from "./PolicyLines.ts"

interface Asked {
  readonly policy: Policy.Resolved
  readonly decisions: ReadonlyArray<Decision.Decision>
  readonly executions: ReadonlyArray<Execution.Body>
}

/** Gives all names of an asset. */
export const assetsOf = (policy: Policy.Resolved, asset: string): ReadonlyArray<string> => {
  const aliasOf = Policy.aliasOf(policy)
  const names = policy.assets.aliases.flat().filter((name) => aliasOf(name) === aliasOf(asset))
  return Array.from(new Set([asset, ...names]))
}

/** A candidate whose order among the others is told, but not yet in what it agrees: the matcher is only asked of those that are shown. */
type Ranked = Omit<Candidate.Candidate, "agrees"> & { readonly of: KeptEntry }

const size = (difference: string): string => difference.startsWith("-") ? difference.slice(1) : difference

const isInTheWay = ({ _tag }: Candidate.Hindrance): boolean => _tag !== "Policy"

const rank = {
  hindrances: ({ hindrances }: Ranked): number => hindrances.some(isInTheWay) ? 2 : hindrances.length > 0 ? 1 : 0,
  stands: ({ stands: { _tag } }: Ranked): number => Number(_tag !== "Waiting" && _tag !== "NotJudged"),
  difference: ({ difference: a }: Ranked, { difference: b }: Ranked): number =>
    a === null || b === null ? Number(a === null) - Number(b === null) : Amount.compare(size(a), size(b))
}

/** Puts together a deposit and a transfer, whichever of them is the candidate. */
const paired = <A>(entry: A, side: Decision.Subject["side"], candidate: A) =>
  side === "deposit" ? { deposit: entry, transfer: candidate } : { deposit: candidate, transfer: entry }

/** Compares what may be unknown of either. */
const agree = (a: string | undefined, b: string | undefined): boolean | null =>
  a === undefined || b === undefined ? null : a === b

export const make = (own: KeptEntry, { decisions, executions, policy }: Asked) => {
  const { entry } = own
  const { side } = entry
  const alone = PairAlone.make(policy)
  const aliasOf = Policy.aliasOf(policy)
  const judged = Execution.judged(executions)
  const lines = Array.from(PolicyLines.make(policy, decisions))
  const holding = new Map<string, Array<Decision.Decision & { readonly body: Decision.Followed }>>()
  for (const decision of decisions) {
    const { body, revokedBy } = decision
    if (revokedBy !== undefined || !Decision.isFollowed(body)) continue
    for (const subject of body.entries) {
      const key = Subjects.keyOf(subject)
      const others = holding.get(key)
      const one = { ...decision, body }
      if (others === undefined) holding.set(key, [one])
      else others.push(one)
    }
  }

  const isSameAsset = (candidate: KeptEntry): boolean => aliasOf(candidate.entry.asset) === aliasOf(entry.asset)

  const contradicted = (candidate: KeptEntry): ReadonlyArray<Candidate.Hindrance> => {
    const said = { kind: "link", entries: [entry, candidate.entry] } as const
    const bodies = new Set(
      said.entries.flatMap((one) => holding.get(Subjects.keyOf(one)) ?? []).map(({ body }) => body)
    )
    return Array.from(bodies).filter((body) => Contradictions.contradict(body, said))
      .toSorted((a, b) => a.number - b.number)
      .map((body) => ({
        _tag: "Contradicted",
        decision: body.number,
        kind: body.kind,
        says: Contradictions.says(body)
      }))
  }

  /** What a line of the policy file says otherwise than a link of the two would. */
  const ofPolicy = (candidate: KeptEntry): ReadonlyArray<Candidate.Hindrance> => {
    const said = { kind: "link", entries: [entry, candidate.entry] } as const
    return lines.flatMap(([, line]) =>
      Contradictions.contradict(line, said) ? [{ _tag: "Policy" as const, kind: line.kind }] : []
    )
  }

  const hindrances = (candidate: KeptEntry): ReadonlyArray<Candidate.Hindrance> => {
    const both = [own, candidate]
    return [
      ...contradicted(candidate),
      ...both.flatMap(({ entry: { side }, hasVanished }) => hasVanished ? [{ _tag: "Vanished" as const, side }] : []),
      ...both.flatMap(({ entry: { side, status } }) => status === "failed" ? [{ _tag: "Failed" as const, side }] : []),
      ...(isSameAsset(candidate) ? [] : [{ _tag: "OtherAsset" as const }]),
      ...ofPolicy(candidate)
    ]
  }

  const stands = ({ entry: { at }, state: of }: KeptEntry): Candidate.Standing => {
    if (of !== undefined) {
      const { state } = of
      return BookState.isWaiting(state) ? { _tag: "Waiting", state, of } : { _tag: "Settled", state, of }
    }
    const last = judged.find(({ from, to }) => from <= at && at < to)
    return last === undefined
      ? { _tag: "NotJudged" }
      : { _tag: "NeverWaited", execution: last.by.number, run: last.judging.run }
  }

  const ranked = (candidate: KeptEntry): Ranked => {
    const { deposit, transfer } = paired(entry, side, candidate.entry)
    return {
      of: candidate,
      entry: candidate.entry,
      difference: isSameAsset(candidate) ? Amount.sum([deposit.amount, `-${transfer.amount}`]) : null,
      lag: transfer.at - deposit.at,
      stands: stands(candidate),
      hindrances: hindrances(candidate)
    }
  }

  const hasReference = ({ entry: { reference } }: Ranked): boolean => agree(entry.reference, reference) === true

  const compare = (a: Ranked, b: Ranked): number =>
    rank.hindrances(a) - rank.hindrances(b) || rank.stands(a) - rank.stands(b) ||
    Number(hasReference(b)) - Number(hasReference(a)) || rank.difference(a, b) ||
    Math.abs(a.lag) - Math.abs(b.lag) || (a.entry.id < b.entry.id ? -1 : 1)

  const told = ({ of: candidate, ...rest }: Ranked): Candidate.Candidate => {
    const pair = paired<PairAlone.Told>({ ...own.entry, ...networkOf(own) }, side, {
      ...candidate.entry,
      ...networkOf(candidate)
    })
    return {
      ...rest,
      agrees: {
        asset: isSameAsset(candidate),
        account: agree(entry.account, candidate.entry.account),
        amount: alone.amount(pair),
        time: alone.time(pair),
        reference: agree(entry.reference, candidate.entry.reference)
      }
    }
  }

  /** Gives so many candidates at most, the best first. */
  return (found: ReadonlyArray<KeptEntry>, limit: number = found.length): ReadonlyArray<Candidate.Candidate> =>
    found.map(ranked).toSorted(compare).slice(0, limit).map(told)
}

const networkOf = ({ network }: KeptEntry) => network === undefined ? {} : { network }
