/** A period is not closed or reopened, for one reason; then the ledger stands as before. */
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import * as Lack from "./Lack.ts"

const Id = "@tallystick/archive/PeriodError"

const iso = (ms: number): string => DateTime.formatIso(DateTime.makeUnsafe(ms))

/** Something is lacking that a close needs. */
export class NotClosable extends Schema.TaggedClass<NotClosable>(`${Id}/NotClosable`)("NotClosable", {
  /** The period that was to be closed, `[from, to)`, Unix ms. */
  from: Schema.Int,
  to: Schema.Int,
  lacks: Schema.NonEmptyArray(Lack.Lack)
}) {
  get message(): string {
    const lacks = this.lacks.map((lack) => Lack.text(lack, iso)).join("; ")
    return `the period from ${iso(this.from)} to ${iso(this.to)} cannot be closed: ${lacks}`
  }
}

/** The books have no execution, so that there is nothing to close. */
export class NotBegun extends Schema.TaggedClass<NotBegun>(`${Id}/NotBegun`)("NotBegun", {}) {
  get message(): string {
    return "the books are not begun: no run is an execution of them"
  }
}

/** The zone is none that this program knows, or the day is none in it. */
export class NoDay extends Schema.TaggedClass<NoDay>(`${Id}/NoDay`)("NoDay", { detail: Schema.String }) {
  get message(): string {
    return this.detail
  }
}

/** The periods of an archive are made of the days of one zone. */
export class OtherZone extends Schema.TaggedClass<OtherZone>(`${Id}/OtherZone`)("OtherZone", {
  /** The number of the close that says which zone it is. */
  close: Schema.Int,
  zone: Schema.String,
  asked: Schema.String
}) {
  get message(): string {
    return `the periods of this archive are made of days of ${this.zone} since close ${this.close}, and not of ${this.asked}`
  }
}

/** Periods follow one another without holes and without overlaps. */
export class NotNext extends Schema.TaggedClass<NotNext>(`${Id}/NotNext`)("NotNext", {
  /** Here the period must begin, Unix ms. */
  from: Schema.Int,
  /** The number of the close whose period ends there; absent where none stands. */
  close: Schema.optionalKey(Schema.Int),
  /** What was asked for. */
  asked: Schema.Struct({ from: Schema.Int, to: Schema.Int })
}) {
  get message(): string {
    const begins = this.close === undefined
      ? `the period begins at ${iso(this.from)}`
      : `the next period begins at ${iso(this.from)}, where the one of close ${this.close} ends`
    return this.asked.to <= this.from
      ? `${begins}, so that there is nothing to close up to ${iso(this.asked.to)}`
      : `${begins}, and not at ${iso(this.asked.from)}`
  }
}

/** Only the last close that stands can be taken back: what lies behind a period would hang in the air. */
export class NotReopenable extends Schema.TaggedClass<NotReopenable>(`${Id}/NotReopenable`)("NotReopenable", {
  close: Schema.Int,
  detail: Schema.String
}) {
  get message(): string {
    return `close ${this.close} cannot be reopened: ${this.detail}`
  }
}

/** The ledger went on while the close was made: it knows nothing of what was decided or reconciled since. */
export class LedgerMoved extends Schema.TaggedClass<LedgerMoved>(`${Id}/LedgerMoved`)("LedgerMoved", {
  /** The number of the last row of the ledger. */
  by: Schema.Int
}) {
  get message(): string {
    return `the ledger went on to row ${this.by} while the close was made; close again`
  }
}

/** The archive asks authors for a token. */
export class TokenDemanded extends Schema.TaggedClass<TokenDemanded>(`${Id}/TokenDemanded`)("TokenDemanded", {
  by: Schema.String
}) {
  get message(): string {
    return `only authors who show a token close and reopen periods, and ${this.by} showed none`
  }
}

export const Reason = Schema.Union([
  NotClosable,
  NotBegun,
  NoDay,
  OtherZone,
  NotNext,
  NotReopenable,
  LedgerMoved,
  TokenDemanded
])
export type Reason = typeof Reason.Type

export class PeriodError extends Schema.TaggedError<PeriodError>(Id)("PeriodError", { reason: Reason }) {
  override get message(): string {
    return this.reason.message
  }
}
