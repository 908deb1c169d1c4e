/** What an operation puts on the wire, and what comes back. */
import type * as BrokerError from "../../BrokerError.ts"
import type * as ServerClock from "../time/ServerClock.ts"
import type * as Query from "../wire/Query.ts"

/** One operation as it goes on the wire, without what every request carries. */
export interface Call {
  readonly operation: Exclude<BrokerError.Operation, "serverTime">
  readonly method: "GET" | "POST"
  readonly path: string
  readonly parameters: ReadonlyArray<Query.Parameter>
  readonly body?: string
  /** Lifetime of the request in ms; undefined leaves it out. */
  readonly recvWindow: number | undefined
  /** The error of an inconclusive answer. It is present for requests that must not be sent twice. */
  readonly unknownOutcome?: (detail: string) => BrokerError.OutcomeUnknown
}

/** The JSON of an answer, its text, and the service's time from when it was asked for to when it had come. */
export interface Reply {
  readonly json: unknown
  readonly text: string
  readonly at: ServerClock.Moment
  /** The error to fail with where this JSON is not of the contract. */
  readonly unexpected: (detail: string) => BrokerError.ProtocolError
}
