/** Finds the candidates of an entry, and compares them with it. */
import type * as AddressBook from "@tallystick/reconcile/AddressBook"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { SqlError } from "effect/sql/SqlError"
import type { DatabaseError } from "../../ArchiveError.ts"
import type * as Candidate from "../../Candidate.ts"
import type * as Decision from "../../Decision.ts"
import * as Execution from "../../Execution.ts"
import * as Ledger from "../ledger/Ledger.ts"
import * as EntryOutcome from "../runs/EntryOutcome.ts"
import * as Lookup from "../runs/Lookup.ts"
import type * as Database from "../sql/Database.ts"
import * as Limit from "../sql/Limit.ts"
import * as EntryStates from "./EntryStates.ts"
import * as KeptEntries from "./KeptEntries.ts"
import * as NearRecords from "./NearRecords.ts"
import * as Suitable from "./Suitable.ts"

export interface Options {
  /** Names the sub-account of an address. Without it, an account of a deposit is known where the books tell it. */
  readonly account?: AddressBook.Lookup
}

export interface NearOptions extends Options {
  /** How far around the entry records are compared, ms, 31 days at most. Default: as far as the policy of the books looks. */
  readonly reach?: number
  /** So many candidates are given at most, from 1 to 100. Default: 20. */
  readonly limit?: number
}

type Named = Pick<Decision.Subject, "id" | "side">

const DAY = 86_400_000

const FARTHEST = 31 * DAY

const USUAL = 20

const MOST = 100

/** So many records are read whole and compared, the likeliest ones, and besides so many of those that wait, the nearest ones. */
const COMPARED = 200

const other = { deposit: "transfer", transfer: "deposit" } as const

/** Orders records by how likely they belong to an entry: the reference, the amount, the time. */
const likeliest = (entry: Pick<Candidate.Kept, "amount" | "at">) => {
  const scale = (amount: string): number => Math.abs(Number(amount) - Number(entry.amount))
  const far = ({ at }: NearRecords.NearRecord): number => Math.abs(at - entry.at)
  return (records: ReadonlyArray<NearRecords.NearRecord>): ReadonlyArray<NearRecords.NearRecord> =>
    records.toSorted((a, b) =>
      Number(b.isReferred) - Number(a.isReferred) || scale(a.amount) - scale(b.amount) || far(a) - far(b)
    ).slice(0, COMPARED)
}

export const make = (database: Database.Service) => {
  const { error, sql } = database
  const ledger = Ledger.make(database)
  const runs = Lookup.make(database)
  const states = EntryStates.make(sql)
  const entries = KeptEntries.make(database)
  const nearRecords = NearRecords.make(sql)
  const outcomeIn = EntryOutcome.make(database)
  const query = <A>(effect: Effect.Effect<A, SqlError>) => Effect.mapError(effect, error)

  /** The policy of a run, which is the same as long as the run is the last one. */
  let known: { readonly run: string; readonly policy: Policy.Resolved } | undefined
  const policyOf = Effect.fnUntraced(function*(run: string) {
    if (known?.run === run) return known.policy
    const found = yield* Effect.catchTag(runs.get(run), "Ambiguous", () => Effect.succeedNone)
    const { summary: { policy } } = yield* Effect.fromOption(found, () => runs.damaged(run))
    known = { run, policy }
    return policy
  })

  /** What the books are about now, and what people decided. */
  const question = Effect.gen(function*() {
    const { decisions, executions } = yield* ledger.soundRecent
    const last = Arr.last(executions)
    const [policy, master] = Option.isNone(last)
      ? [Policy.defaults, []]
      : [yield* policyOf(last.value.body.run), last.value.body.accounts.master]
    return { decisions, executions: executions.map(({ body }) => body), policy, master }
  })

  /** Gives an entry with what is compared of it, and how others are held against it. */
  const begin = Effect.fnUntraced(function*(named: Named, account: Options["account"]) {
    const asked = yield* question
    const kept = entries(asked, account)
    const [entry] = yield* kept([named])
    if (entry === undefined) return Option.none()
    return Option.some({ entry: entry.entry, policy: asked.policy, kept, compare: Suitable.make(entry, asked) })
  })

  const near = Effect.fnUntraced(function*(
    named: Named,
    { account, limit = USUAL, reach }: NearOptions = {}
  ): Effect.fn.Return<Option.Option<Candidate.Candidates>, DatabaseError> {
    const begun = yield* begin(named, account)
    if (Option.isNone(begun)) return Option.none()
    const { compare, entry, kept, policy } = begun.value
    const far = Limit.clipped(reach ?? Policy.horizon(policy), FARTHEST)
    const interval = { from: Math.max(entry.at - far, 0), to: entry.at + far + 1 }
    const assets = Suitable.assetsOf(policy, entry.asset)
    const { records, searched } = yield* query(
      nearRecords({ ...interval, side: other[entry.side], at: entry.at, assets, reference: entry.reference ?? "" })
    )
    const waiting = yield* query(
      states.waitingNear({ ...interval, side: other[entry.side], at: entry.at, assets }, COMPARED)
    )
    const found = yield* kept([
      ...waiting,
      ...likeliest(entry)(records).map(({ key, name }) => ({ side: other[entry.side], id: name, key }))
    ])
    return Option.some({ entry, candidates: compare(found, Limit.clipped(limit, MOST)), searched })
  })

  return {
    near,
    compare: Effect.fnUntraced(function*(named: Named, others: ReadonlyArray<string>, { account }: Options = {}) {
      const begun = yield* begin(named, account)
      if (Option.isNone(begun)) return Option.none()
      const { compare, entry, kept } = begun.value
      return Option.some({
        entry,
        candidates: compare(yield* kept(others.map((id) => ({ side: other[named.side], id }))))
      })
    }),
    outcome: Effect.fnUntraced(function*(named: Named) {
      const asked = yield* question
      const { executions } = asked
      const [found] = yield* entries(asked)([named])
      const judged = found &&
        Execution.judged(executions).find(({ from, to }) => from <= found.entry.at && found.entry.at < to)
      return judged === undefined ? Option.none() : yield* outcomeIn(judged.judging.run, named)
    })
  }
}
