/** What a person might link with an open entry: entries of the other side, with what speaks for and against each. */
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import type * as ArchiveError from "./ArchiveError.ts"
import type * as Candidate from "./Candidate.ts"
import type * as Decision from "./Decision.ts"
import * as Finding from "./internal/books/Finding.ts"
import { Database } from "./internal/sql/Database.ts"

export type { NearOptions, Options } from "./internal/books/Finding.ts"

type Named = Pick<Decision.Subject, "id" | "side">

/**
 * The policy is that of the last execution of the books, and the default one before the first. Fails with `Damaged` where the ledger or
 * the run of that execution is not as it was written.
 */
export interface Service {
  /** Finds the candidates of an entry, the best first; none where the archive has no such entry. */
  readonly near: (
    entry: Named,
    options?: Finding.NearOptions
  ) => Effect.Effect<Option.Option<Candidate.Candidates>, ArchiveError.DatabaseError>
  /**
   * Compares an entry with others of the other side, named by their ids, however far away they are: what a person has at hand. Those that
   * the archive does not have are left out; the others come in the same order.
   */
  readonly compare: (
    entry: Named,
    others: ReadonlyArray<string>,
    options?: Finding.Options
  ) => Effect.Effect<Option.Option<Pick<Candidate.Candidates, "candidates" | "entry">>, ArchiveError.DatabaseError>
  /**
   * Gives the outcome in which an entry stands by the last execution over its time, with what it is matched with; none where no execution
   * was about that time, and where the run did not know the entry. It looks through that run, which takes as long as the run is large.
   */
  readonly outcome: (
    entry: Named
  ) => Effect.Effect<Option.Option<Outcome.Outcome>, ArchiveError.DatabaseError>
}

export class Candidates extends Context.Service<Candidates, Service>()("@tallystick/archive/Candidates") {
  /** This layer stands over a database that is open; the layers of `Archive` bring it along. */
  static readonly layer: Layer.Layer<Candidates, never, Database> = Layer.effect(
    Candidates,
    Effect.map(Database, (database) => Candidates.of(Finding.make(database)))
  )
}
