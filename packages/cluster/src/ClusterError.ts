/** The error of a cluster. Its `reason` says what happened, and its message what to do. */
import * as Schema from "effect/Schema"

const Id = "@tallystick/cluster/ClusterError"

/** The database of the cluster does not answer, or refuses a statement. It may pass by itself. */
export class Database extends Schema.TaggedClass<Database>(`${Id}/Database`)("Database", {
  /** What the system or the database said. */
  detail: Schema.String
}) {
  get message(): string {
    return `the database of the cluster cannot be used: ${this.detail}`
  }
}

/** The tables of the cluster are to be made or changed, and somebody reads them meanwhile. */
export class Busy extends Schema.TaggedClass<Busy>(`${Id}/Busy`)("Busy", {}) {
  get message(): string {
    return "the tables of the cluster are not of this version yet, and cannot be changed while another program uses them, as pg_dump does: " +
      "try again when it has finished"
  }
}

/** A pooler stands in front of PostgreSQL and gives each transaction another session: the locks of a runner would be lost between them. */
export class Pooled extends Schema.TaggedClass<Pooled>(`${Id}/Pooled`)("Pooled", {}) {
  get message(): string {
    return "a pooler in front of PostgreSQL shares its sessions among clients, so that a runner would lose its locks: give the address of " +
      "PostgreSQL itself, or of a pooler in session mode"
  }
}

/** A runner cannot listen at its address. */
export class CannotListen extends Schema.TaggedClass<CannotListen>(`${Id}/CannotListen`)("CannotListen", {
  /** `HOST:PORT`. */
  address: Schema.String,
  /** What the system said. */
  detail: Schema.String
}) {
  get message(): string {
    const why = this.detail.includes("EADDRINUSE") ? "another program listens there" : this.detail
    return `no runner can listen at ${this.address}: ${why}`
  }
}

/** The cluster knows no job whose id begins so. */
export class UnknownJob extends Schema.TaggedClass<UnknownJob>(`${Id}/UnknownJob`)("UnknownJob", {
  id: Schema.String
}) {
  get message(): string {
    return `the cluster knows no job ${this.id}`
  }
}

/** Several jobs have an id that begins so. */
export class AmbiguousJob extends Schema.TaggedClass<AmbiguousJob>(`${Id}/AmbiguousJob`)("AmbiguousJob", {
  id: Schema.String
}) {
  get message(): string {
    return `several jobs have an id that begins with ${this.id}: give more of it`
  }
}

export const Reason = Schema.Union([Database, Busy, Pooled, CannotListen, UnknownJob, AmbiguousJob])
export type Reason = typeof Reason.Type

/** The one error of this package's operations, beside those of the archive. */
export class ClusterError extends Schema.TaggedError<ClusterError>(Id)("ClusterError", { reason: Reason }) {
  override get message(): string {
    return this.reason.message
  }
}
