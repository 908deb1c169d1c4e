/** The books are not brought forward by a run, or not told as they were asked for, for one reason; then the ledger and every entry stand as before. */
import * as Schema from "effect/Schema"

const Id = "@tallystick/archive/BookError"

/** The run was asked something else than the last execution, so that both cannot tell of the same books. */
export class OtherQuestion extends Schema.TaggedClass<OtherQuestion>(`${Id}/OtherQuestion`)("OtherQuestion", {
  /** The number of the last execution. */
  execution: Schema.Int,
  of: Schema.Literals(["policy", "accounts", "addresses"])
}) {
  get message(): string {
    switch (this.of) {
      case "policy":
        return `the run follows another policy than execution ${this.execution} of the books`
      case "accounts":
        return `the run is about other accounts than execution ${this.execution} of the books, or does not know whether they are all`
      default:
        return `the run knows other addresses than execution ${this.execution} of the books`
    }
  }
}

/** The archive keeps no reading at all: at most records that were imported. */
export class NothingRead extends Schema.TaggedClass<NothingRead>(`${Id}/NothingRead`)("NothingRead", {}) {
  get message(): string {
    return "the archive keeps no reading of the exchange, so that nobody can say up to when the run knew anything"
  }
}

/** The ledger went on while the run was made: it knows nothing of what was decided or reconciled since. */
export class LedgerMoved extends Schema.TaggedClass<LedgerMoved>(`${Id}/LedgerMoved`)("LedgerMoved", {
  /** The number of the last row of the ledger. */
  by: Schema.Int
}) {
  get message(): string {
    return `the ledger went on to row ${this.by} while the run was made, so that it does not know what was decided or booked there; reconcile again`
  }
}

/** A price, or the currency of the prices, is not as it was wanted. */
export class InvalidPrices extends Schema.TaggedClass<InvalidPrices>(`${Id}/InvalidPrices`)("InvalidPrices", {
  /** What came and what was wanted, behind a name of the prices. */
  problem: Schema.String
}) {
  get message(): string {
    return `the prices of the books cannot be kept: ${this.problem}`
  }
}

/** The books are asked what they said after an execution, and the ledger has none of this number. */
export class NoExecution extends Schema.TaggedClass<NoExecution>(`${Id}/NoExecution`)("NoExecution", {
  /** The number that came: of a row that is another one, or of none. */
  number: Schema.Number
}) {
  get message(): string {
    return `row ${this.number} of the ledger is no execution; the books are told as they were after an execution, by its number`
  }
}

/** The program that ordered the execution withdrew the order before it was written. */
export class Withdrawn extends Schema.TaggedClass<Withdrawn>(`${Id}/Withdrawn`)("Withdrawn", {}) {
  get message(): string {
    return "the order to bring the books forward was withdrawn before it was carried out"
  }
}

export const Reason = Schema.Union([OtherQuestion, NothingRead, LedgerMoved, InvalidPrices, NoExecution, Withdrawn])
export type Reason = typeof Reason.Type

export class BookError extends Schema.TaggedError<BookError>(Id)("BookError", { reason: Reason }) {
  override get message(): string {
    return this.reason.message
  }
}
