/** A decision is refused with one error that has a reason; then nothing of what was to be decided is in the ledger. */
import * as Entry from "@tallystick/reconcile/Entry"
import * as Schema from "effect/Schema"

const Id = "@tallystick/archive/DecisionError"

/** The archive has no such entry, or a complete reading no longer showed it. */
export class UnknownEntry extends Schema.TaggedClass<UnknownEntry>(`${Id}/UnknownEntry`)("UnknownEntry", {
  side: Entry.Side,
  id: Schema.String,
  /** The service once told of it, and no longer shows it. */
  hasVanished: Schema.Boolean
}) {
  get message(): string {
    return this.hasVanished
      ? `${this.side} ${this.id} has vanished from the service: only a note can be written on it`
      : `the archive keeps no ${this.side} with the id ${this.id}`
  }
}

/** The ledger says something else of the same entries, and that must be revoked first. */
export class Contradicted extends Schema.TaggedClass<Contradicted>(`${Id}/Contradicted`)("Contradicted", {
  /** The number of the decision that stands against it. */
  decision: Schema.Int,
  /** What that decision says: `links deposit d1 with transfer t1`. */
  says: Schema.String
}) {
  get message(): string {
    return `decision ${this.decision} ${this.says}; revoke it before you decide otherwise`
  }
}

/** Somebody decided on the same entries after the author looked. */
export class Outdated extends Schema.TaggedClass<Outdated>(`${Id}/Outdated`)("Outdated", {
  /** The number of the first decision that the author has not seen. */
  decision: Schema.Int,
  says: Schema.String
}) {
  get message(): string {
    return `meanwhile decision ${this.decision} ${this.says}; look at it, then decide again`
  }
}

/** The ledger does not go through the row that the author saw last: it was restored from a backup, or written anew. */
export class OtherLedger extends Schema.TaggedClass<OtherLedger>(`${Id}/OtherLedger`)("OtherLedger", {
  /** The number of that row. */
  seen: Schema.Int
}) {
  get message(): string {
    return `row ${this.seen} of the ledger is not the one that you saw: it was restored or written anew; look again, then decide`
  }
}

/** There is no decision of this number that could be revoked. */
export class NotRevocable extends Schema.TaggedClass<NotRevocable>(`${Id}/NotRevocable`)("NotRevocable", {
  decision: Schema.Int,
  /** Why not: there is none, it is a revocation itself, or it was revoked by another decision. */
  detail: Schema.String
}) {
  get message(): string {
    return `decision ${this.decision} cannot be revoked: ${this.detail}`
  }
}

/** One entry is named twice. */
export class Repeated extends Schema.TaggedClass<Repeated>(`${Id}/Repeated`)("Repeated", {
  side: Entry.Side,
  id: Schema.String
}) {
  get message(): string {
    return `${this.side} ${this.id} is named twice`
  }
}

/** The books tell of no such outcome. */
export class NotBooked extends Schema.TaggedClass<NotBooked>(`${Id}/NotBooked`)("NotBooked", {
  /** The id of the outcome. */
  outcome: Schema.String
}) {
  get message(): string {
    return `no execution of the books came to outcome ${this.outcome}: reconcile its time with --book first, then accept what that tells`
  }
}

/** The outcome is nothing that a person could accept, or is not what it was when the books told of it. */
export class NotAcceptable extends Schema.TaggedClass<NotAcceptable>(`${Id}/NotAcceptable`)("NotAcceptable", {
  outcome: Schema.String,
  /** Why not, as a clause: `it is in-flight, and may still settle by itself`. */
  detail: Schema.String
}) {
  get message(): string {
    return `outcome ${this.outcome} cannot be accepted: ${this.detail}`
  }
}

/** There is no decision of this number that this author could approve. */
export class NotApprovable extends Schema.TaggedClass<NotApprovable>(`${Id}/NotApprovable`)("NotApprovable", {
  decision: Schema.Int,
  /** Why not, as a clause: it waits for nobody, it is the author's own, or what it is about is not as it was. */
  detail: Schema.String
}) {
  get message(): string {
    return `decision ${this.decision} cannot be approved: ${this.detail}`
  }
}

/** The archive asks authors for a token, or somebody without one wants it to. */
export class TokenDemanded extends Schema.TaggedClass<TokenDemanded>(`${Id}/TokenDemanded`)("TokenDemanded", {
  by: Schema.String
}) {
  get message(): string {
    return `only authors who show a token decide that, and ${this.by} showed none`
  }
}

export const Reason = Schema.Union([
  UnknownEntry,
  Contradicted,
  Outdated,
  OtherLedger,
  NotRevocable,
  Repeated,
  NotBooked,
  NotAcceptable,
  NotApprovable,
  TokenDemanded
])
export type Reason = typeof Reason.Type

export class DecisionError extends Schema.TaggedError<DecisionError>(Id)("DecisionError", {
  /** The place of the act that is refused among those that were given; the first is 0. */
  index: Schema.Int,
  reason: Reason
}) {
  override get message(): string {
    return this.reason.message
  }
}
