/** What is frozen: a run as one report, and the same as streams of outcomes. */
import type * as Accounts from "@tallystick/reconcile/Accounts"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import type * as Report from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { Book } from "./Book.ts"
import * as Sides from "./Sides.ts"

/** Whatever a run fails with says what it is, and has a message. */
export interface Failure {
  readonly _tag: string
  readonly message: string
}

export interface Subject {
  readonly accounts: Accounts.Accounts
  /** What was told to the run, for people. */
  readonly input: unknown
  readonly report: Effect.Effect<Report.Report, Failure>
  readonly streams: Readonly<Record<string, Stream.Stream<Reconciliation.Event, Failure>>>
}

export interface Cutting {
  /** Into how many slices it is cut; 5 if left out. */
  readonly parts?: number
  /** Whether it is also decided in steps, which takes as long as all the rest; no if left out. */
  readonly stepwise?: boolean
}

/** A run over a book. */
export const ofBook = Effect.fnUntraced(function*(
  book: Book,
  { parts = 5, stepwise = false }: Cutting = {}
): Effect.fn.Return<Subject, Failure> {
  const policy = Policy.resolve(yield* Effect.fromResult(Policy.decode(book.policy)))
  const options: Reconciliation.Options = {
    policy,
    accounts: book.accounts,
    ...(book.addresses === undefined ? {} : { addresses: book.addresses }),
    ...(book.range === undefined ? {} : { range: book.range }),
    ...(book.asOf === undefined ? {} : { asOf: book.asOf })
  }
  const events = ({ deposits, transfers }: Sides.Sides) => Reconciliation.events(deposits, transfers, options)
  const { deposits, transfers } = Sides.whole(book)
  return {
    accounts: book.accounts,
    input: book,
    report: Reconciliation.reconcile(deposits, transfers, options),
    streams: {
      stream: events(Sides.whole(book)),
      parts: events(Sides.parts(book, parts)),
      ...(stepwise ? { steps: events(Sides.steps(book)) } : {})
    }
  }
})
